package web

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// headers are what browsers are told of every answer: to run and fetch nothing but what comes from here.
var headers = map[string]string{
	"Content-Security-Policy":      "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	"X-Content-Type-Options":       "nosniff",
	"X-Frame-Options":              "DENY",
	"Referrer-Policy":              "no-referrer",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Cache-Control":                "no-store",
}

// guarded lets through what the page itself asks, and nothing that another site has a browser ask.
func guarded(host string, next http.Handler) http.Handler {
	own := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range headers {
			w.Header().Set(name, value)
		}
		switch {
		case !knownHost(r.Host, host):
			sorry(w, http.StatusMisdirectedRequest, "unknown host: want localhost or a numeric address")
		case r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost:
			w.Header().Set("Allow", "GET, HEAD, POST")
			sorry(w, http.StatusMethodNotAllowed, "want GET or POST")
		case own.Check(r) != nil || r.Method == http.MethodPost && !sameOrigin(r):
			sorry(w, http.StatusForbidden, "want the page's own origin")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// knownHost says whether a request was meant for this server. A name of another site that resolves to this machine is
// not: its pages would count as this server's own.
func knownHost(asked, host string) bool {
	name := asked
	if n, _, err := net.SplitHostPort(asked); err == nil {
		name = n
	}
	name = strings.ToLower(strings.Trim(name, "[]"))
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	return name == "localhost" || host != "" && name == strings.ToLower(host)
}

// sameOrigin says whether a request that names its origin comes from the page. What names none is no browser.
func sameOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	return origin == "" || origin == "http://"+r.Host || origin == "https://"+r.Host
}
