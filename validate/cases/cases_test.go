package cases

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

func TestBuiltinCasesLoad(t *testing.T) {
	list, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		fitted, figures := 0, 0
		for _, p := range c.Points {
			figures += len(p.Measured)
			if p.Fitted {
				fitted++
			}
		}
		t.Logf("%-30s %-10s %3d points, %2d fitted, %3d figures, %d decisions", c.Name, c.Family, len(c.Points), fitted, figures, len(c.Decisions))
	}
}

const good = `title = "t"
family = "f"
source = "s"
licence = "l"
scenario = "p5en-qwen3-32b"
protocol = "pull"
set = ["run.seed=1"]
[[table]]
file = "t.csv"
name = "{a}"
set = ["workload.input_tokens={a}"]
measured = { mean_ttft_ms = "ttft" }
weight = "n"
fitted = "f"
[[decision]]
name = "d"
metric = "mean_ttft_ms"
points = ["1", "2"]
`

func folder(toml string) fstest.MapFS {
	return fstest.MapFS{File: {Data: []byte(toml)}, "t.csv": {Data: []byte("a,ttft,n,f\n1,10,1,no\n1,20,3,no\n2,,1,no\n2,7,1,no\n2,9,1,yes\n")}}
}

func TestRowsOfOneNameAreRepetitions(t *testing.T) {
	c, err := Load("x/case1", folder(good))
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Points) != 3 || c.Name != "case1" {
		t.Fatalf("%+v", c.Points)
	}
	p := c.Points[0]
	if p.Measured["mean_ttft_ms"] != 17.5 || p.Repeats != 2 || fmt.Sprint(p.Set) != "[run.seed=1 workload.input_tokens=1]" || p.Protocol != "pull" {
		t.Errorf("%+v", p)
	}
	if spread := p.Spread["mean_ttft_ms"]; spread < 6.12 || spread > 6.13 { // sqrt(3/4*2.5^2 + 1/4*7.5^2) * sqrt(2)
		t.Errorf("spread %v", spread)
	}
	if q := c.Point("2"); q.Fitted || q.Measured["mean_ttft_ms"] != 7 || q.Repeats != 1 {
		t.Errorf("%+v", q)
	}
}

func TestMistakesAreNamed(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{`family = "f"`, `famly = "f"`, `x/case.toml:2: unknown key "famly"`},
		{`family = "f"`, ``, `want family, have none`},
		{`title = "t"`, `title = `, `x/case.toml:1:`},
		{`name = "{a}"`, `name = "{b}"`, `t.csv:2: the table has no column "b"`},
		{`"ttft"`, `"tft"`, `the table has no column "tft"`},
		{`points = ["1", "2"]`, `points = ["1", "3"]`, `decision "d": no point is named "3"`},
		{`fitted = "f"`, `fitted = "n"`, `t.csv:2: n: want yes or no, have "1"`},
		{`file = "t.csv"`, `file = "u.csv"`, `u.csv`},
		{`[[decision]]`, "[[point]]\nname = \"p\"\n[[decision]]", `point "p": want measured figures`},
	} {
		_, err := Load("x", folder(strings.Replace(good, c.from, c.to, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: have %v, want %s", c.to, err, c.want)
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(good, "a,ttft,n,f\n1,10,1,no\n")
	f.Fuzz(func(t *testing.T, toml, table string) {
		dir := folder(toml)
		dir["t.csv"].Data = []byte(table)
		Load("x", dir)
	})
}
