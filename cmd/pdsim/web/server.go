package web

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"runtime"
	"time"

	"pdsim/scenarios"
)

//go:embed page
var embedded embed.FS

// Page is the files of the page.
func Page() fs.FS {
	page, err := fs.Sub(embedded, "page")
	if err != nil {
		panic("web: " + err.Error())
	}
	return page
}

// Figure is a number of a result as tables show it.
type Figure struct {
	Name string                         `json:"name"`
	Unit string                         `json:"unit"`
	Text func(*scenarios.Result) string `json:"-"`
}

// Options are what the command gives the page.
type Options struct {
	Version string
	Figures []Figure // of the table of results, in its order
	Host    string   // name under which the server may be asked besides localhost and numeric addresses; may be empty
}

// The times that a request may take. A client that is slower holds one connection until then, and no more.
const (
	headerTime = 5 * time.Second
	readTime   = 10 * time.Second
	playTime   = 20 * time.Second // of all runs of one request
	writeTime  = playTime + 20*time.Second
	idleTime   = time.Minute
	stopTime   = 3 * time.Second
)

// mostConnections bounds what idle and slow clients can hold.
const mostConnections = 64

// server plays what pages ask for.
type server struct {
	opt   Options
	slots chan struct{} // one for each run that may go on at once
}

// New returns a handler for page and API. It answers GET and POST only, to hosts that it knows (so that no name of
// another site can be bound to this address), POST only from the page itself and with a body of at most 64 KiB; a run is
// bounded in its size and its time.
func New(opt Options) http.Handler {
	s := &server{opt: opt, slots: make(chan struct{}, runtime.GOMAXPROCS(0))}
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(Page()))
	mux.HandleFunc("GET /api/about", func(w http.ResponseWriter, _ *http.Request) { reply(w, s.about()) })
	mux.HandleFunc("POST /api/run", answering(s.run))
	mux.HandleFunc("POST /api/timeline", answering(s.timeline))
	mux.HandleFunc("POST /api/sweep", answering(s.sweep))
	return guarded(opt.Host, mux)
}

// Serve answers on a listener until the context ends, and lets what is being answered then come to its end.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	hs := &http.Server{
		Handler: handler, ReadHeaderTimeout: headerTime, ReadTimeout: readTime, WriteTimeout: writeTime, IdleTimeout: idleTime,
		MaxHeaderBytes: 16 << 10,
		BaseContext:    func(net.Listener) context.Context { return ctx }, // runs stop with the server
	}
	ended := make(chan error, 1)
	go func() { ended <- hs.Serve(limit(listener, mostConnections)) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	if err := hs.Shutdown(late); err != nil {
		hs.Close() // a client that reads too slowly
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// refusal is an error that the client can mend.
type refusal struct {
	status int
	why    string
}

func (r *refusal) Error() string { return r.why }

func refuse(status int, format string, args ...any) error {
	return &refusal{status, fmt.Sprintf(format, args...)}
}

// answering makes a handler of a function from questions to answers.
func answering[T any](answer func(ctx context.Context, a *ask) (T, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), playTime)
		defer cancel()
		a, err := readAsk(w, r)
		if err == nil {
			var out T
			if out, err = answer(ctx, a); err == nil {
				reply(w, out)
				return
			}
		}
		status := http.StatusInternalServerError
		var known *refusal
		if errors.As(err, &known) {
			status = known.status
		}
		sorry(w, status, err.Error())
	}
}

func reply(w http.ResponseWriter, answer any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(answer) // an error is the client's, who has gone
}

// sorry says why there is no answer.
func sorry(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]string{"error": why})
}
