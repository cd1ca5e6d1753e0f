package serving

import "pdsim/sim"

// Policy says how the router picks an engine of a pool.
type Policy uint8

// The policies.
const (
	RoundRobin Policy = iota
	LeastLoaded
)

// Router is the proxy in front of the engines.
type Router struct {
	Policy   Policy
	prefills int
	decodes  int
}

func (rt *Router) pick(engines []*Engine, turn *int) *Engine {
	best := engines[*turn%len(engines)]
	*turn++
	if rt.Policy == LeastLoaded {
		for _, e := range engines {
			if e.load() < best.load() {
				best = e
			}
		}
	}
	return best
}

// load is the number of requests that an engine has been sent and has not finished.
func (e *Engine) load() int { return e.Unfinished() + e.coming }

func (l *Leg) choose(e *Engine) {
	l.Engine, l.coming = e, true
	e.coming++
}

// ChoosePrefill picks the engine for r's prefill leg.
func (r *Request) ChoosePrefill() {
	c := r.cluster
	r.P.choose(c.Router.pick(c.Prefill, &c.Router.prefills))
}

// ChooseDecode picks the engine for r's decode leg.
func (r *Request) ChooseDecode() {
	c := r.cluster
	r.D.choose(c.Router.pick(c.Decode, &c.Router.decodes))
}

// SendPrefill sends the prefill leg to its engine: one token is asked for.
func (r *Request) SendPrefill() {
	r.P.Request, r.P.Prompt, r.P.Output = r, r.Input, 1
	r.Delay("hop to prefill", r.P.Engine.Costs.RouterHop, arriveAtPrefill)
}

// SendDecode sends the decode leg to its engine. remote says that the prompt's KV will come from the prefill engine.
func (r *Request) SendDecode(remote bool) {
	r.D.Request, r.D.Prompt, r.D.Output, r.D.Remote = r, r.Input, r.Output, remote
	r.Delay("hop to decode", r.D.Engine.Costs.RouterHop, arriveAtDecode)
}

// Answer takes the prefill engine's response back to the router.
func (r *Request) Answer(next Next) { r.Delay("prefill response", r.P.Engine.Costs.Detokenize, next) }

// The API server's event loop takes one request after the other, so that those that arrive together reach the engine one
// by one. The rest of the way, and the prompts' tokenizing, go on side by side: prompts are tokenized in one batch on
// several cores (github.com/vllm-project/vllm/pull/19334), later by a pool of threads (pull/45759).
func arriveAtPrefill(r *Request) {
	e := r.P.Engine
	r.On(e.API, "api server", e.Costs.APIBusy, tokenizeForPrefill)
}

func tokenizeForPrefill(r *Request) {
	e := r.P.Engine
	r.delay(e.API.Track(), "tokenize", e.tokenize(r.Input), queuePrefill)
}

// tokenize is a prompt's way from the event loop to the engine's queue.
func (e *Engine) tokenize(tokens int) sim.Duration {
	return max(0, e.Costs.APIServer-e.Costs.APIBusy) + e.Costs.TokenizePer.Times(tokens)
}

func queuePrefill(r *Request) { r.P.Engine.enqueue(&r.P) }

func arriveAtDecode(r *Request) {
	e := r.D.Engine
	r.On(e.API, "api server", e.Costs.APIBusy, tokenizeForDecode)
}

func tokenizeForDecode(r *Request) {
	e := r.D.Engine
	r.delay(e.API.Track(), "tokenize", e.tokenize(r.Input), queueDecode)
}

func queueDecode(r *Request) { r.D.Engine.enqueue(&r.D) }
