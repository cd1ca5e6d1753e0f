package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// quick is the published scenario with so few requests that the command line answers at once, too.
const quick = "#scenario=p5en-qwen3-32b&view=path&set=workload.iterations%3D1&set=workload.requests%3D10"

// TestPageControls moves every control and holds the numbers that show against what the command line prints.
func TestPageControls(t *testing.T) {
	b := openBrowser(t, newPage(t))
	b.open("")
	b.compare()
	b.open(quick)
	before := b.compare()
	keys := eval[[]string](b, `[...document.querySelectorAll("#controls [data-key]")].map((control) => control.dataset.key)`)
	if len(keys) < 15 {
		t.Fatalf("want a control for each of 15 keys or more, have %v", keys)
	}
	slowest, where := 0, ""
	for _, key := range keys {
		b.open(quick)
		b.act(move(key))
		b.settle()
		after := b.compare()
		// Which of two random orders the pools start in, and whether idle rails are faster, may not show.
		command, _ := b.results()
		if !strings.Contains(command, key) && key != "run.protocols" {
			t.Errorf("%s: the command does not have it: %s", key, command)
		}
		if after == before {
			t.Logf("%s makes no difference here", key)
		}
		if took := eval[int](b, `Number(/\d+/.exec(document.getElementById("status").textContent)[0])`); took > slowest {
			slowest, where = took, key
		}
	}
	t.Logf("slowest change: %d ms (%s)", slowest, where)
	b.open("")
	for range 5 {
		b.act(move("workload.qps"))
		b.settle()
		t.Logf("the published scenario, at another rate: %s", eval[string](b, `document.getElementById("status").textContent`))
	}
}

// move is an expression that moves a control to another of its values, as a user does.
func move(key string) string {
	return fmt.Sprintf(`(() => {
		const control = document.querySelector('[data-key="%s"]');
		const input = control.querySelector("select") ?? control.querySelector("input:not(:checked)") ?? control.querySelector("input");
		if (input.type === "checkbox") return input.click();
		if (input.type === "range") input.value = Number(input.value) > 0 ? Number(input.value) - 1 : 1;
		else if (input.type === "number") input.value = "7";
		else input.selectedIndex = (input.selectedIndex + 1) %% input.options.length;
		input.dispatchEvent(new Event("input", { bubbles: true }));
		input.dispatchEvent(new Event("change", { bubbles: true }));
	})()`, key)
}

// TestPageLesson goes through the lesson from its first step to its last.
func TestPageLesson(t *testing.T) {
	b := openBrowser(t, newPage(t))
	b.open("")
	b.click(`nav a[href*="view=lesson"]`)
	b.settle()
	steps := 0
	for {
		steps++
		title := eval[string](b, `document.querySelector("#lesson h2").textContent`)
		text := eval[string](b, `document.getElementById("lesson").textContent`)
		if !strings.HasPrefix(title, fmt.Sprintf("%d of ", steps)) || strings.ContainsAny(text, "{}") || strings.Contains(text, "NaN") {
			t.Errorf("step %d: %s", steps, text)
		}
		b.compare()
		if eval[bool](b, `document.querySelector("#lesson button:last-child").disabled`) {
			break
		}
		b.click(`#lesson button:last-child`)
		b.settle()
	}
	if steps < 9 {
		t.Errorf("want nine steps or more, have %d", steps)
	}
}

// TestPageExported goes through a static site from a file server: the lesson, a control and every view.
func TestPageExported(t *testing.T) {
	if testing.Short() {
		t.Skip("plays several hundred runs")
	}
	dir := filepath.Join(t.TempDir(), "site")
	if code := execute([]string{"serve", "--export", dir}, io.Discard, os.Stderr); code != exitFine {
		t.Fatalf("exit code %d", code)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(server.Close)
	b := openBrowser(t, server.URL)
	b.open("")
	for _, key := range []string{"workload.input_tokens", "workload.qps", "network.merge", "decode.max_num_seqs"} {
		b.act(move(key))
		b.settle()
		b.compare()
	}
	for _, view := range []string{"timeline", "load", "path"} {
		b.click(fmt.Sprintf(`nav a[href*="view=%s"]`, view))
		b.settle()
		b.fine()
	}
	b.click(`nav a[href*="view=lesson"]`)
	b.settle()
	for !eval[bool](b, `document.querySelector("#lesson button:last-child").disabled`) {
		b.compare()
		b.click(`#lesson button:last-child`)
		b.settle()
		b.fine()
	}
}

// TestPageLinks says that the address restores each view, that going back does, and what buttons copy.
func TestPageLinks(t *testing.T) {
	b := openBrowser(t, newPage(t))
	b.open(quick)
	for _, view := range []string{"timeline", "load", "path"} {
		b.click(fmt.Sprintf(`nav a[href*="view=%s"]`, view))
		b.settle()
		address := eval[string](b, `location.hash`)
		shown := eval[string](b, `document.getElementById("view").textContent`)
		b.open(address)
		if again := eval[string](b, `document.getElementById("view").textContent`); again != shown || len(shown) < 200 {
			t.Errorf("%s: the link shows %q instead of %q", view, again, shown)
		}
	}
	b.act(`Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { window.copied = text; } } }); document.getElementById("copy-command").click()`)
	if want, _ := b.results(); eval[string](b, `window.copied`) != want {
		t.Errorf("want %q copied", want)
	}
	copied := eval[string](b, `URL.createObjectURL = (blob) => { window.blob = blob; return "blob:x"; }; HTMLAnchorElement.prototype.click = () => {}; document.getElementById("download").click(); window.blob.text()`)
	if !strings.Contains(copied, "[workload]") || !strings.Contains(copied, "requests = 10") {
		t.Errorf("want the scenario's TOML, have %q", copied)
	}
}

// TestPageTimeline points at spans and reads what released them.
func TestPageTimeline(t *testing.T) {
	b := openBrowser(t, newPage(t))
	b.open(strings.Replace(quick, "view=path", "view=timeline", 1))
	if spans := eval[int](b, `document.querySelectorAll(".timeline [data-id]").length`); spans < 10 {
		t.Fatalf("want spans, have %d", spans)
	}
	detail := eval[string](b, `document.querySelectorAll(".timeline [data-id]")[5].dispatchEvent(new MouseEvent("mouseenter")); document.querySelector(".detail").textContent`)
	if !strings.Contains(detail, "released by") {
		t.Errorf("have %q", detail)
	}
	address := eval[string](b, `document.querySelector(".timeline").dispatchEvent(new KeyboardEvent("keydown", { key: "+", bubbles: true })); location.hash`)
	if query, _ := url.ParseQuery(strings.TrimPrefix(address, "#")); query.Get("from") == "" && query.Get("to") == "" {
		t.Errorf("want the zoom in the address, have %s", address)
	}
}

// TestPageScenarios shows every built-in scenario.
func TestPageScenarios(t *testing.T) {
	b := openBrowser(t, newPage(t))
	b.open("")
	for _, name := range eval[[]string](b, `[...document.querySelectorAll("#scenario option")].map((option) => option.value)`) {
		b.act(fmt.Sprintf(`(() => { const menu = document.getElementById("scenario"); menu.value = %q; menu.dispatchEvent(new Event("change")); })()`, name))
		b.settle()
		b.fine()
	}
}
