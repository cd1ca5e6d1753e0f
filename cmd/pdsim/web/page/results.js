// The table of results, as the command line prints it, and what was measured.

import { h } from "./dom.js";

// table is the figures of each protocol.
export function table(figures, results) {
  return h("div", { class: "scroll" }, h("table", { id: "results" },
    h("caption", {}, "What the client saw, and what transfers and engines did"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "per protocol"), results.map((r) => h("th", { scope: "col" }, r.protocol)))),
    h("tbody", {}, figures.map((figure, i) => h("tr", {},
      h("th", { scope: "row" }, figure.name, figure.unit && h("small", {}, ` (${figure.unit})`)),
      results.map((r) => h("td", {}, r.texts[i])))))));
}

// number writes a figure of whatever size.
function number(value) {
  return value === null ? "-" : Number(value.toPrecision(4)).toLocaleString("en", { maximumSignificantDigits: 4 });
}

// measured is the measured points that apply to what is shown.
export function measured(points) {
  if (!points.length) return h("p", { class: "quiet" }, "Nobody measured exactly this, as far as pdsim's cases know.");
  return h("div", { class: "scroll" }, h("table", { id: "measured" },
    h("caption", {}, "Measured points that apply"),
    h("thead", {}, h("tr", {}, ["protocol", "figure", "measured", "simulated", "error", "source"].map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, points.map((p) => h("tr", {}, h("th", { scope: "row" }, p.protocol), h("td", { class: "text" }, p.metric), h("td", {}, number(p.measured)),
      h("td", {}, number(p.simulated)), h("td", {}, p.error === null ? "-" : `${p.error > 0 ? "+" : ""}${p.error.toFixed(0)} %`), h("td", { class: "text" }, p.source))))));
}
