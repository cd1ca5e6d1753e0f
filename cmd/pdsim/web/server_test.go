package web

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"pdsim/scenarios"
)

// options are those of a command with one figure.
var options = Options{Version: "test", Figures: []Figure{{Name: "completed", Text: func(r *scenarios.Result) string {
	text, _ := json.Marshal(r.Completed)
	return string(text)
}}}}

// published is a question that is quickly answered.
const published = `{"scenario":"p5en-qwen3-32b","set":["workload.iterations=1","workload.requests=4","workload.input_tokens=1024"],"protocols":["push"]%s}`

func question(more string) string { return strings.Replace(published, "%s", more, 1) }

// send asks a handler as a page would, with changes.
func send(h http.Handler, path, body string, change func(r *http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", "http://127.0.0.1:8080"+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Origin", "http://127.0.0.1:8080")
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestHeaders says that every answer forbids browsers to fetch from elsewhere.
func TestHeaders(t *testing.T) {
	for _, path := range []string{"/", "/main.js", "/api/about", "/nothing"} {
		w := send(New(options), path, "", func(r *http.Request) { r.Method = "GET" })
		for name := range headers {
			if w.Header().Get(name) == "" && !(path == "/nothing" && name == "Cache-Control") { // which an error has not
				t.Errorf("%s: want %s", path, name)
			}
		}
	}
}

// TestHosts says under which names the server answers.
func TestHosts(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost:8080": true, "127.0.0.1": true, "[::1]:8080": true, "LOCALHOST": true, "10.1.2.3:80": true, "desk.lan:8080": true,
		"evil.example": false, "localhost.evil.example:8080": false, "127.0.0.1.evil.example": false, "": false,
	} {
		if have := knownHost(host, "desk.lan"); have != want {
			t.Errorf("%q: want %v, have %v", host, want, have)
		}
	}
}

// TestNoFileKeys says that no key that opens files is taken from a page, whichever will be added.
func TestNoFileKeys(t *testing.T) {
	for _, path := range []string{"model.config", "prefill.compute_table", "decode.compute_table", "workload.trace"} {
		if !namesFile(path) {
			t.Errorf("%s is taken", path)
		}
	}
	for _, k := range scenarios.Keys() {
		if strings.Contains(k.Meaning, " file") && !namesFile(k.Path) && k.Path != "workload.format" && k.Path != "name" && k.Path != "model.name" {
			t.Errorf("%s seems to open a file: %s", k.Path, k.Meaning)
		}
	}
}

// TestSlowClient says that who sends nothing is cut off while others are answered, and that a stop waits for nobody long.
func TestSlowClient(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, l, New(options)) }()
	slow, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	io.WriteString(slow, "POST /api/run HTTP/1.1\r\nHost: localhost\r\n")
	r, err := http.Post("http://"+l.Addr().String()+"/api/run", "application/json", bytes.NewReader([]byte(question(""))))
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%v %v", r, err)
	}
	r.Body.Close()
	slow.SetReadDeadline(time.Now().Add(2 * headerTime))
	if _, err := io.ReadAll(slow); err != nil {
		t.Errorf("want the connection closed: %v", err)
	}
	stop()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(2 * stopTime):
		t.Error("want the server to have stopped")
	}
}

// TestGivenUp says that a run ends when nobody waits for it any more.
func TestGivenUp(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	start := time.Now()
	w := send(New(options), "/api/run", `{"scenario":"p5en-qwen3-32b","set":["workload.iterations=19"]}`, func(r *http.Request) { *r = *r.WithContext(ctx) })
	if w.Code != http.StatusUnprocessableEntity || time.Since(start) > 2*time.Second {
		t.Errorf("have %d after %v: %s", w.Code, time.Since(start), w.Body)
	}
}
