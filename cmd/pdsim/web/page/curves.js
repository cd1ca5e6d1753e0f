// TTFT and TPOT over load, one line a protocol, with measured points where there are any.

import { h, svg, ticks } from "./dom.js";
import { size } from "./controls.js";

const width = 460, height = 280, left = 52, right = 12, top = 12, bottom = 40;

const dashes = ["", "7 4", "2 3", "9 3 2 3"];

function mark(kind, x, y, label) {
  const shapes = [() => svg("circle", { cx: x, cy: y, r: 4 }), () => svg("rect", { x: x - 4, y: y - 4, width: 8, height: 8 }), () => svg("path", { d: `M${x} ${y - 5}l5 9h-10z` }), () => svg("path", { d: `M${x - 4} ${y - 4}l8 8m0-8l-8 8` })];
  const shape = shapes[kind % shapes.length]();
  shape.setAttribute("class", `mark line${kind % 4}`);
  shape.append(svg("title", {}, label));
  return shape;
}

function chart(curve, metric, title) {
  const xs = curve.points.map((p) => size(p.value));
  const real = curve.measured.filter((m) => m.metric === metric && size(m.at) <= Math.max(...xs));
  const most = Math.max(...curve.points.flatMap((p) => p.results.map((r) => r[metric])), ...real.map((m) => m.measured), 1e-9) * 1.05;
  const x = (v) => left + ((width - left - right) * v) / Math.max(...xs);
  const y = (v) => height - bottom - ((height - top - bottom) * v) / most;
  const parts = [];
  for (const t of ticks(most)) {
    parts.push(svg("line", { class: "rule", x1: left, x2: width - right, y1: y(t), y2: y(t) }), svg("text", { x: left - 6, y: y(t) + 4, "text-anchor": "end" }, String(t)));
  }
  xs.forEach((v, i) => parts.push(svg("text", { x: x(v), y: height - bottom + 18, "text-anchor": "middle" }, curve.points[i].value.replace("/s", ""))));
  parts.push(svg("text", { x: (left + width - right) / 2, y: height - 4, "text-anchor": "middle" }, curve.key === "workload.qps" ? "requests/s" : curve.key));
  curve.protocols.forEach((name, k) => {
    const at = curve.points.map((p, i) => [x(xs[i]), y(p.results[k][metric])]);
    parts.push(svg("polyline", { class: `line line${k % 4}`, points: at.join(" "), "stroke-dasharray": dashes[k % 4] }));
    at.forEach(([px, py], i) => parts.push(mark(k, px, py, `${name} at ${curve.points[i].value}: ${curve.points[i].results[k][metric].toFixed(2)} ms`)));
    real.filter((m) => m.protocol === name).forEach((m) => {
      const [px, py] = [x(size(m.at)), y(m.measured)];
      parts.push(svg("path", { class: `real line${k % 4}`, d: `M${px - 9} ${py}h18M${px} ${py - 9}v18` }, svg("title", {}, `${name} measured at ${m.at}: ${m.measured} ms`)));
    });
  });
  return h("figure", {}, h("figcaption", {}, `${title}, ms`), svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title} over ${curve.key}; the table below has the numbers` }, parts));
}

// measuredAt is what was measured of a figure of a protocol at a value, and by how much the simulation is off.
function measuredAt(curve, protocol, value, metric, simulated) {
  return curve.measured.filter((m) => m.protocol === protocol && m.metric === metric && size(m.at) === size(value)).map((m) => {
    const error = 100 * (simulated / m.measured - 1);
    return h("small", { class: "real", title: m.source }, ` measured ${m.measured}: ${error > 0 ? "+" : ""}${error.toFixed(0)} %`);
  });
}

// curves draws a sweep.
export function curves(curve) {
  const heads = curve.protocols.flatMap((name) => [`TTFT ${name}`, `TPOT ${name}`]);
  return h("div", { class: "curves" },
    h("h2", {}, "Over load"),
    h("ul", { class: "legend" }, curve.protocols.map((name, k) => h("li", {}, svg("svg", { viewBox: "0 0 40 12", width: 40, height: 12, "aria-hidden": "true" },
      svg("line", { class: `line line${k % 4}`, x1: 0, x2: 40, y1: 6, y2: 6, "stroke-dasharray": dashes[k % 4] }), mark(k, 20, 6, name)), name)),
    curve.measured.length ? h("li", {}, svg("svg", { viewBox: "0 0 20 20", width: 16, height: 16, "aria-hidden": "true" }, svg("path", { class: "real", d: "M1 10h18M10 1v18" })), "measured") : null),
    h("div", { class: "charts" }, chart(curve, "mean_ttft_ms", "Mean TTFT"), chart(curve, "mean_tpot_ms", "Mean TPOT")),
    h("div", { class: "scroll" }, h("table", { id: "load" },
      h("caption", {}, "The same in numbers, ms"),
      h("thead", {}, h("tr", {}, [curve.key, ...heads].map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", {}, curve.points.map((p) => h("tr", {}, h("th", { scope: "row" }, p.value), p.results.flatMap((r) => [
        h("td", {}, r.mean_ttft_ms.toFixed(1), measuredAt(curve, r.protocol, p.value, "mean_ttft_ms", r.mean_ttft_ms)),
        h("td", {}, r.mean_tpot_ms.toFixed(2), measuredAt(curve, r.protocol, p.value, "mean_tpot_ms", r.mean_tpot_ms))])))))));
}

// values are the values that the curves are drawn over: about those of the scenario.
export function values(own) {
  if (own["workload.kind"] === "trace") return ["workload.speed", ["0.25", "0.5", "1", "2", "4"]];
  const rate = size(own["workload.qps"]);
  if (!(rate > 8) || rate === Infinity) return ["workload.qps", ["1/s", "2/s", "4/s", "6/s", "8/s"]];
  return ["workload.qps", [0.25, 0.5, 0.75, 1, 1.25].map((f) => `${Number((rate * f).toPrecision(4))}/s`)];
}
