package web

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"
)

// setting is a question with one setting.
func setting(s string) string {
	text, _ := json.Marshal(s)
	return `{"scenario":"p5en-qwen3-32b","set":[` + string(text) + `]}`
}

// hostile is what is refused, with which status and words. Status 0 is any but success.
var hostile = []struct {
	name, path, body string
	change           func(r *http.Request)
	status           int
	says             string
}{
	{"no JSON", "/api/run", "hello", nil, 400, "invalid character"},
	{"two objects", "/api/run", question("") + "{}", nil, 400, "one object"},
	{"unknown field", "/api/run", `{"file":"/etc/passwd"}`, nil, 400, "unknown field"},
	{"wrong type", "/api/run", `{"set":{}}`, nil, 400, "cannot unmarshal"},
	{"deep JSON", "/api/run", `{"set":` + strings.Repeat("[", 30_000), nil, 400, "depth"},
	{"oversized", "/api/run", `{"scenario":"` + strings.Repeat("x", 70_000) + `"}`, nil, 413, "65536"},
	{"oversized space", "/api/run", question("") + strings.Repeat(" ", 70_000), nil, 413, "65536"},
	{"form", "/api/run", "scenario=x", func(r *http.Request) { r.Header.Set("Content-Type", "application/x-www-form-urlencoded") }, 415, "application/json"},
	{"plain text", "/api/run", question(""), func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 415, "application/json"},
	{"another origin", "/api/run", question(""), func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }, 403, "origin"},
	{"another port's origin", "/api/run", question(""), func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:9090") }, 403, "origin"},
	{"no origin at all", "/api/run", question(""), func(r *http.Request) { r.Header.Set("Origin", "null") }, 403, "origin"},
	{"cross-site fetch", "/api/run", question(""), func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403, "origin"},
	{"rebound name", "/api/run", question(""), func(r *http.Request) {
		r.Host = "evil.example:8080"
		r.Header.Set("Origin", "http://evil.example:8080")
	}, 421, "host"},
	{"no host", "/api/run", question(""), func(r *http.Request) { r.Host = "" }, 421, "host"},
	{"put", "/api/run", question(""), func(r *http.Request) { r.Method = "PUT" }, 405, "GET or POST"},
	{"get of a question", "/api/run", "", func(r *http.Request) { r.Method = "GET" }, 404, ""},
	{"a file as scenario", "/api/run", `{"scenario":"../page/lesson.json"}`, nil, 422, "built-in"},
	{"climbing scenario", "/api/run", `{"scenario":"../../builtin/p5en-qwen3-32b"}`, nil, 422, "built-in"},
	{"a file as model", "/api/run", setting("model.config=/etc/passwd"), nil, 422, "no files"},
	{"a file, spaced", "/api/run", setting(" model.config =/etc/passwd"), nil, 422, "no files"},
	{"a file as trace", "/api/run", setting("workload.trace=/etc/passwd"), nil, 422, "no files"},
	{"a file as table", "/api/run", setting("decode.compute_table=/etc/passwd"), nil, 422, "no files"},
	{"a file as axis", "/api/sweep", question(`,"key":"model.config","values":["/etc/passwd"]`), nil, 422, "no files"},
	{"a file in the axis's key", "/api/sweep", question(`,"key":"model.config=/etc/passwd","values":["x"]`), nil, 422, "no files"},
	{"unknown key", "/api/run", setting("decode.max_num_seq=8"), nil, 422, "did you mean"},
	{"huge number", "/api/run", setting("workload.requests=99999999999999999999"), nil, 422, "want"},
	{"huge exponent", "/api/run", setting("workload.requests=1e999"), nil, 422, "want"},
	{"not a number", "/api/run", setting("run.jitter=nan"), nil, 422, "want"},
	{"deep TOML", "/api/run", setting("workload.requests=" + strings.Repeat("[", 180)), nil, 422, "want"},
	{"line break", "/api/run", setting("workload.requests=1\nmodel.config=\"x\""), nil, 422, "printable"},
	{"long setting", "/api/run", setting("name=" + strings.Repeat("x", 300)), nil, 422, "at most"},
	{"many settings", "/api/run", `{"scenario":"p5en-qwen3-32b","set":["a=1"` + strings.Repeat(`,"a=1"`, 100) + `]}`, nil, 422, "at most"},
	{"unknown protocol", "/api/run", `{"scenario":"p5en-qwen3-32b","protocols":["x"]}`, nil, 422, "want"},
	{"many requests", "/api/run", setting("workload.requests=100000000"), nil, 422, "requests"},
	{"many iterations", "/api/run", setting("workload.iterations=10000"), nil, 422, "requests"},
	{"many turns", "/api/run", setting("workload.turns=1000"), nil, 422, "requests"},
	{"long answers", "/api/run", `{"scenario":"p5en-qwen3-32b","set":["workload.output_tokens=16000","workload.requests=500","workload.iterations=1"]}`, nil, 422, "output tokens"},
	{"long prompts", "/api/run", setting("workload.input_tokens=4000000"), nil, 422, "max_model_len"},
	{"many blocks", "/api/run", `{"scenario":"p5en-qwen3-32b","set":["prefill.block_size=4","decode.block_size=4"]}`, nil, 422, "KV blocks"},
	{"small blocks", "/api/run", `{"scenario":"p5en-qwen3-32b","set":["prefill.block_size=1","decode.block_size=1","workload.iterations=1"]}`, nil, 422, "blocks of"},
	{"many engines", "/api/run", setting("decode.instances=256"), nil, 422, "engines"},
	{"many rails", "/api/run", setting("costs.instance.rails_per_gpu=1000000"), nil, 422, "rails_per_gpu"},
	{"endless memory", "/api/run", `{"scenario":"p5en-qwen3-32b","set":["workload.iterations=1","costs.gpu.memory=100TB"]}`, nil, 422, "kv_blocks"},
	{"crawling rail", "/api/run", `{"scenario":"p5en-qwen3-32b","set":["workload.iterations=1","costs.instance.rail_rate=1B/s"]}`, nil, 422, "want a run"},
	{"years", "/api/run", `{"scenario":"p5en-qwen3-32b","set":["workload.iterations=1","workload.qps=0.000001/s"]}`, nil, 422, "simulated days"},
	{"whole trace", "/api/run", `{"scenario":"azure-conversation-2p2d"}`, nil, 422, "workload.requests"},
	{"unknown request", "/api/run", question(`,"request":"1000000"`), nil, 422, "request"},
	{"request of words", "/api/timeline", question(`,"request":"pNaN"`), nil, 422, "request"},
	{"no values", "/api/sweep", question(""), nil, 422, "values"},
	{"many values", "/api/sweep", question(`,"key":"workload.qps","values":[` + strings.Repeat(`"1/s",`, 50) + `"1/s"]`), nil, 422, "at most"},
	{"axis of protocols", "/api/sweep", question(`,"key":"run.protocols","values":["pull","pull,push"]`), nil, 422, "key"},
	{"traversal", "/../../go.mod", "", func(r *http.Request) { r.Method = "GET" }, 0, ""},
	{"encoded traversal", "/..%2f..%2fserver.go", "", func(r *http.Request) { r.Method = "GET" }, 404, ""},
	{"the folder above", "/%2e%2e/server.go", "", func(r *http.Request) { r.Method = "GET" }, 0, ""},
}

// TestHostile says that what is refused is refused in words and at once.
func TestHostile(t *testing.T) {
	for _, c := range hostile {
		t.Run(c.name, func(t *testing.T) {
			start := time.Now()
			w := send(New(options), c.path, c.body, c.change)
			if c.status == 0 { // a redirect to the cleaned path, or nothing there
				if w.Code == http.StatusOK || strings.Contains(w.Body.String(), "package web") {
					t.Fatalf("have %d: %s", w.Code, w.Body)
				}
				return
			}
			if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) {
				t.Errorf("want %d with %q, have %d: %s", c.status, c.says, w.Code, w.Body)
			}
			if took := time.Since(start); took > 2*playTime {
				t.Errorf("took %v", took)
			}
		})
	}
}
