package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"pdsim/cmd/pdsim/web"
	"pdsim/scenarios"
)

// browser is a page of the server in a real browser.
type browser struct {
	t      *testing.T
	origin string
	tab    context.Context

	mu       sync.Mutex
	troubles []string // what it wrote on the console, and what it asked of others
}

// openBrowser starts a server and a browser, or skips the test where there is no browser.
func openBrowser(t *testing.T, origin string) *browser {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" || testing.Short() {
		t.Skip("no browser")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.Flag("no-sandbox", true), chromedp.WindowSize(1366, 900))
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(cancel)
	tab, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	b := &browser{t: t, origin: origin, tab: tab}
	b.do(chromedp.Navigate("about:blank")) // starts the browser
	go listen(b, network.RequestWillBeSent, b.request)
	go listen(b, runtime.ConsoleAPICalled, b.console)
	go listen(b, runtime.ExceptionThrown, b.exception)
	go listen(b, log.EntryAdded, b.entry)
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, trouble := range b.troubles {
			t.Error(trouble)
		}
	})
	return b
}

// newPage is a server with the page.
func newPage(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(web.New(webOptions("")))
	t.Cleanup(server.Close)
	return server.URL
}

// listen tells of events of one kind until the browser ends.
func listen[E any](b *browser, kind cdp.Event[E], tell func(E)) {
	for e, err := range chromedp.Events(b.tab, kind) {
		if err != nil {
			return
		}
		tell(e)
	}
}

func (b *browser) trouble(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.troubles = append(b.troubles, fmt.Sprintf(format, args...))
}

func (b *browser) request(e network.EventRequestWillBeSent) {
	if url := e.Request.URL; !strings.HasPrefix(url, b.origin) && url != "about:blank" {
		b.trouble("asked elsewhere: %s", url)
	}
}

func (b *browser) console(e runtime.EventConsoleAPICalled) {
	if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
		text, _ := json.Marshal(e.Args)
		b.trouble("console: %s", text)
	}
}

func (b *browser) exception(e runtime.EventExceptionThrown) {
	text, _ := json.Marshal(e.ExceptionDetails)
	b.trouble("exception: %s", text)
}

func (b *browser) entry(e log.EventEntryAdded) {
	if e.Entry.Level == log.EntryLevelError {
		b.trouble("log: %s %s", e.Entry.Text, e.Entry.URL)
	}
}

// patience bounds what the page may take for anything.
const patience = 30 * time.Second

func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.tab, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// eval evaluates an expression of the page.
func eval[T any](b *browser, expression string) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.tab, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// act evaluates an expression for what it does.
func (b *browser) act(expression string) {
	b.t.Helper()
	eval[chromedp.Void](b, expression)
}

// click clicks the first element of a selector.
func (b *browser) click(selector string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.tab, patience)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Click(chromedp.CSS(selector))); err != nil {
		b.t.Fatalf("%s: %v", selector, err)
	}
}

// settled says whether the page shows the state that its address has.
const settled = `!document.body.dataset.busy && document.body.dataset.shown !== undefined &&
	(location.hash === "" || new URLSearchParams(location.hash.slice(1)).get("view") === new URLSearchParams(document.body.dataset.shown.slice(1)).get("view"))`

// settle waits until the page shows the state that its address has.
func (b *browser) settle() {
	b.t.Helper()
	_, err := chromedp.Run(b.tab, chromedp.Poll[chromedp.Void](settled, chromedp.WithPollingInterval(10*time.Millisecond), chromedp.WithPollingTimeout(patience)))
	if err != nil {
		b.t.Fatalf("the page does not settle: %v", err)
	}
}

// open goes to a state of the page.
func (b *browser) open(fragment string) {
	b.t.Helper()
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(b.origin+"/"+fragment))
	b.settle()
}

// fine says that the page has nothing to complain of.
func (b *browser) fine() {
	b.t.Helper()
	if trouble := eval[string](b, `document.getElementById("trouble").textContent`); trouble != "" {
		b.t.Errorf("%s: %s", eval[string](b, `location.hash`), trouble)
	}
}

// results are the figures that the page shows, by row, and the command that it says prints them.
func (b *browser) results() (command string, texts [][]string) {
	b.t.Helper()
	return eval[string](b, `document.querySelector("#command code").textContent`),
		eval[[][]string](b, `[...document.querySelectorAll("#results tbody tr")].map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent))`)
}

// compare holds the page's figures against those of its command.
func (b *browser) compare() string {
	b.t.Helper()
	command, have := b.results()
	args := strings.Fields(strings.ReplaceAll(command, "'", ""))[1:]
	var out, errs bytes.Buffer
	if code := execute(append(args, "--format", "json"), &out, &errs); code != exitFine {
		b.t.Fatalf("%s: %s", command, errs.String())
	}
	var results []*scenarios.Result
	if err := json.Unmarshal(out.Bytes(), &results); err != nil {
		b.t.Fatal(err)
	}
	var want [][]string
	for i := range figures {
		var row []string
		for _, r := range results {
			row = append(row, figures[i].text(r))
		}
		want = append(want, row)
	}
	if fmt.Sprint(have) != fmt.Sprint(want) {
		b.t.Errorf("%s\nthe page shows    %v\nthe command prints %v", command, have, want)
	}
	return fmt.Sprint(have)
}
