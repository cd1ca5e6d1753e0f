// The way to the first token of each protocol, on one axis of time.

import { h, legend, ms, sort, ticks } from "./dom.js";

// shortest is the share of the longest way below which a step is folded away.
const shortest = 0.005;

function percent(part, whole) {
  return `${(100 * part) / whole}%`;
}

function bar(step, most) {
  return h("span", {
    class: `bar ${sort(step.thread, step.wait)}`,
    style: { left: percent(step.start_ns, most), width: `max(2px, ${percent(step.end_ns - step.start_ns, most)})` },
  });
}

function axis(most) {
  return h("div", { class: "axis", "aria-hidden": "true" }, ticks(most / 1e6).map((t) => h("span", { style: { left: percent(t * 1e6, most) } }, String(t))));
}

// about is what is known of a step, in words.
function about(step, whole) {
  const parts = [`${ms(step.end_ns - step.start_ns)}, ${((100 * (step.end_ns - step.start_ns)) / whole).toFixed(1)} % of TTFT`, `on ${step.thread}`];
  if (step.released_by) parts.push(`released by ${step.released_by}`);
  if (step.behind) parts.push(`behind ${step.behind}`);
  return parts.join("; ");
}

function row(step, path, most) {
  const detail = about(step, path.ttft_ns);
  return h("li", { tabindex: "0", title: detail, "aria-label": `${step.name}: ${detail}` },
    h("span", { class: "name" }, step.name, h("small", {}, step.thread, step.behind && ` · behind ${step.behind}`)),
    h("span", { class: "lane" }, bar(step, most)),
    h("span", { class: "length" }, ms(step.end_ns - step.start_ns)));
}

function steps(path, most, short) {
  const shown = path.steps.filter((s) => short || s.end_ns - s.start_ns >= shortest * most);
  const rows = shown.map((s) => row(s, path, most));
  const left = path.steps.length - shown.length;
  if (left) {
    const rest = path.ttft_ns - shown.reduce((sum, s) => sum + s.end_ns - s.start_ns, 0);
    rows.push(h("li", { class: "rest" }, h("span", { class: "name" }, `${left} shorter steps`), h("span", { class: "lane" }), h("span", { class: "length" }, ms(rest))));
  }
  return h("ol", { class: "steps" }, rows);
}

function title(result) {
  const path = result.path;
  const whose = path.requests > 1 ? `mean of ${path.requests} requests` : `request ${path.request}`;
  return h("h3", {}, h("b", {}, result.protocol), ` ${ms(path.ttft_ns)} `, h("small", {}, whose));
}

function slack(path) {
  if (!path.off.length) return null;
  return h("details", { class: "slack" }, h("summary", {}, `${path.off.length} steps off the path`), h("div", { class: "scroll" }, h("table", {},
    h("thead", {}, h("tr", {}, ["step", "thread", "takes", "could end later by"].map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, path.off.map((s) => h("tr", {}, h("th", { scope: "row" }, s.name), h("td", { class: "text" }, s.thread), h("td", {}, ms(s.end_ns - s.start_ns)), h("td", {}, ms(s.slack_ns))))))));
}

// waterfall draws the paths of all results.
export function waterfall(results, short, fold) {
  const with_path = results.filter((r) => r.path);
  if (!with_path.length) return h("p", {}, "No request was answered.");
  const most = Math.max(...with_path.map((r) => r.path.ttft_ns));
  return h("div", { class: "waterfall" },
    h("h2", {}, "Where time to first token goes", h("small", {}, " ms since the request was sent")),
    legend(),
    h("div", { class: "overview" }, with_path.map((r) => h("div", { class: "strip" },
      h("span", { class: "name" }, h("b", {}, r.protocol)), h("span", { class: "lane" }, r.path.steps.map((s) => bar(s, most))), h("span", { class: "length" }, ms(r.path.ttft_ns)))),
    h("div", { class: "strip" }, h("span", { class: "name" }), h("span", { class: "lane bare" }, axis(most)), h("span", { class: "length" }))),
    h("label", { class: "fold" }, h("input", { type: "checkbox", checked: short, onchange: (event) => fold(event.target.checked) }), "show short steps, too"),
    with_path.map((r) => h("section", { "data-protocol": r.protocol }, title(r), steps(r.path, most, short), slack(r.path))));
}
