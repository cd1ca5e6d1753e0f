// The timeline of every thread and rail, of one request or of a window. Zoom with the wheel, + and -; pan by dragging or
// with the arrow keys; point at a span, or step through them with Tab, to see what released it and what it released.

import { h, svg, legend, ms, sort, ticks } from "./dom.js";

const rowHeight = 26, laneHeight = 9, labelWidth = 128, top = 22;

// mostLanes is how many spans of a row are drawn above each other when they overlap.
const mostLanes = 8;

// layout gives every track a row and every span a place in it: threads do one thing at a time, but many requests wait at
// once. What stands outside of engines comes first, then each engine.
function layout(data) {
  const order = data.tracks.map((_, i) => i).sort((a, b) => {
    const [x, y] = [data.tracks[a], data.tracks[b]];
    return x.includes("/") - y.includes("/") || y[0].localeCompare(x[0]) * (x.includes("/") ? 1 : 0) || x.localeCompare(y);
  });
  const rows = new Array(data.tracks.length);
  const lanes = new Map();
  let y = top;
  for (const track of order) {
    const ends = [];
    for (const span of data.spans.filter((s) => s.track === track).sort((a, b) => a.start_ns - b.start_ns)) {
      let lane = ends.findIndex((end) => end <= span.start_ns);
      if (lane < 0) lane = Math.min(ends.length, mostLanes - 1);
      ends[lane] = Math.max(ends[lane] ?? -Infinity, span.end_ns);
      lanes.set(span.id, lane);
    }
    const height = Math.max(rowHeight, 6 + ends.length * laneHeight);
    rows[track] = { y, height, lanes: Math.max(1, ends.length) };
    y += height;
  }
  return { rows, lanes, height: y + 6 };
}

// relations are the spans that one has to do with.
function relations(span, all) {
  const find = (id) => all.find((s) => s.id === id);
  return {
    cause: find(span.cause), behind: find(span.behind), others: (span.others ?? []).map(find).filter(Boolean),
    released: all.filter((s) => s.cause === span.id), waited: all.filter((s) => (s.others ?? []).includes(span.id)),
  };
}

function name(span, tracks) {
  return `${span.kind} on ${tracks[span.track]}${span.owner >= 0 ? ` (request ${span.owner})` : ""}`;
}

// detail says what is known of a span.
function detail(span, data) {
  const { cause, behind, others, released, waited } = relations(span, data.spans);
  const item = (head, spans) => spans.length ? [h("dt", {}, head), spans.slice(0, 8).map((s) => h("dd", {}, `${name(s, data.tracks)}, ended at ${ms(s.end_ns)}`)), spans.length > 8 && h("dd", {}, `and ${spans.length - 8} more`)] : null;
  return [h("h3", {}, name(span, data.tracks)), h("dl", {},
    h("dt", {}, "from"), h("dd", {}, `${ms(span.start_ns)} to ${ms(span.end_ns)}: ${ms(span.end_ns - span.start_ns)}`),
    span.start_ns > span.ready_ns && [h("dt", {}, "waited for the thread"), h("dd", {}, ms(span.start_ns - span.ready_ns))],
    cause ? item("released by", [cause]) : [h("dt", {}, "released by"), h("dd", {}, span.cause ? "something outside the window" : "the client, from outside")],
    item("also needed", others), item("behind", behind ? [behind] : []), item("released", released), item("was needed by", waited))];
}

// Timeline is the picture with its zoom.
class Timeline {
  constructor(data, room, moved) {
    this.data = data;
    this.room = room;
    this.moved = moved;
    this.from = data.from_ns;
    this.to = data.to_ns;
    this.layout = layout(data);
    this.picture = svg("svg", { class: "timeline", tabindex: "0", role: "group", "aria-label": "Timeline. Plus and minus zoom, arrow keys move, Tab goes from span to span." });
    this.panel = h("div", { class: "detail", "aria-live": "polite" }, h("p", { class: "quiet" }, "Point at a step, or go to it with Tab, to see what released it and what it released."));
    this.picture.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.picture.addEventListener("keydown", (event) => this.key(event));
    this.picture.addEventListener("pointerdown", (event) => this.drag(event));
    new ResizeObserver(() => requestAnimationFrame(() => this.width !== this.picture.clientWidth && this.draw())).observe(this.picture);
  }

  get scale() {
    return (this.width - labelWidth) / Math.max(1, this.to - this.from);
  }

  // zoom keeps the moment that is at a place where it is.
  zoom(factor, place = 0.5) {
    const at = this.from + place * (this.to - this.from);
    const span = Math.min(Math.max((this.to - this.from) * factor, 1000), 100 * (this.data.to_ns - this.data.from_ns));
    this.show(at - place * span, at + (1 - place) * span);
  }

  pan(share) {
    const by = share * (this.to - this.from);
    this.show(this.from + by, this.to + by);
  }

  show(from, to) {
    this.from = Math.round(from);
    this.to = Math.round(to);
    this.draw();
    this.moved(this.from, this.to);
  }

  wheel(event) {
    if (!event.ctrlKey && !event.shiftKey && event.deltaX === 0 && document.activeElement !== this.picture && !event.altKey) return; // the page scrolls
    event.preventDefault();
    const box = this.picture.getBoundingClientRect();
    this.zoom(event.deltaY > 0 ? 1.25 : 0.8, Math.max(0, (event.clientX - box.left - labelWidth) / (this.width - labelWidth)));
  }

  key(event) {
    const does = { "+": () => this.zoom(0.67), "=": () => this.zoom(0.67), "-": () => this.zoom(1.5), ArrowLeft: () => this.pan(-0.2), ArrowRight: () => this.pan(0.2), Home: () => this.show(this.data.from_ns, this.data.to_ns) }[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  }

  drag(event) {
    const [x, from, to, scale] = [event.clientX, this.from, this.to, this.scale];
    const move = (next) => this.show(from - (next.clientX - x) / scale, to - (next.clientX - x) / scale);
    const end = () => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
  }

  // select lights up a span and those that it has to do with.
  select(span) {
    const { cause, others, behind, released, waited } = relations(span, this.data.spans);
    const near = new Map([[span.id, "selected"], ...[...released, ...waited].map((s) => [s.id, "later"]), ...[cause, behind, ...others].filter(Boolean).map((s) => [s.id, "earlier"])]);
    for (const box of this.picture.querySelectorAll("[data-id]")) {
      box.classList.remove("selected", "later", "earlier");
      const how = near.get(Number(box.dataset.id));
      if (how) box.classList.add(how);
    }
    this.panel.replaceChildren(...detail(span, this.data).flat());
  }

  draw() {
    this.width = this.picture.clientWidth || this.room; // before it is in the page: what it will have
    const { tracks, spans, ttft_ns } = this.data;
    const { rows, lanes, height } = this.layout;
    this.picture.setAttribute("height", height);
    this.picture.setAttribute("viewBox", `0 0 ${this.width} ${height}`);
    const x = (ns) => labelWidth + (ns - this.from) * this.scale;
    const focused = this.picture.contains(document.activeElement) ? document.activeElement.dataset.id : undefined;
    const parts = [];
    const step = ticks(this.to - this.from, 5)[1] ?? 1;
    for (let t = Math.ceil(this.from / step) * step; t <= this.to; t += step) {
      parts.push(svg("line", { class: "rule", x1: x(t), x2: x(t), y1: top, y2: height }), svg("text", { x: x(t), y: 14, "text-anchor": t > this.to - step / 2 ? "end" : "middle" }, t === 0 ? "0" : ms(t)));
    }
    for (const { y } of rows) parts.push(svg("line", { class: "rule", x1: 0, x2: this.width, y1: y, y2: y }));
    for (const at of [0, ttft_ns]) if (x(at) >= labelWidth) parts.push(svg("line", { class: "moment", x1: x(at), x2: x(at), y1: top, y2: height }));
    const alone = spans.every((s) => s.owner === spans[0].owner);
    for (const span of spans) {
      const begin = Math.max(x(span.start_ns), labelWidth);
      const end = Math.min(x(span.end_ns), this.width);
      if (x(span.end_ns) < labelWidth || begin > this.width) continue;
      const wide = Math.max(end - begin, 2);
      const row = rows[span.track];
      const tall = (row.height - 6) / row.lanes;
      const y = row.y + 3 + tall * lanes.get(span.id);
      const box = svg("g", { tabindex: "0", "data-id": span.id, class: `span ${sort(tracks[span.track], span.kind.startsWith("wait "))}`, role: "img", "aria-label": `${name(span, tracks)}, ${ms(span.end_ns - span.start_ns)}`,
        onmouseenter: () => this.select(span), onfocus: () => this.select(span) },
      svg("rect", { x: begin, y, width: wide, height: Math.max(tall - (row.lanes > 1 ? 1 : 0), 1) }));
      if (wide > 7 * span.kind.length && tall > 12) box.append(svg("text", { x: begin + 4, y: y + tall / 2 + 4 }, span.kind));
      if (alone && span.start_ns > span.ready_ns) { // it waited for its thread
        parts.push(svg("line", { class: "ready", x1: Math.max(x(span.ready_ns), labelWidth), x2: begin, y1: y + tall / 2, y2: y + tall / 2 }));
      }
      parts.push(box);
    }
    tracks.forEach((track, i) => parts.push(svg("rect", { class: "cover", x: 0, y: rows[i].y + 1, width: labelWidth, height: rows[i].height - 1 }), svg("text", { x: 2, y: rows[i].y + 17 }, track)));
    this.picture.replaceChildren(...parts);
    if (focused) this.picture.querySelector(`[data-id="${focused}"]`)?.focus({ preventScroll: true });
  }
}

// timeline draws what an answer holds, so many pixels wide. moved is told of the part that is in view.
export function timeline(data, view, room, moved) {
  const t = new Timeline(data, room, moved);
  if (view.to > view.from) [t.from, t.to] = [view.from, view.to];
  t.draw();
  const button = (text, label, does) => h("button", { type: "button", "aria-label": label, title: label, onclick: does }, text);
  return h("div", {},
    h("h2", {}, `Request ${data.request}`, h("small", {}, ` first token after ${ms(data.ttft_ns)}`)),
    legend(),
    h("div", { class: "zoom" }, button("+", "zoom in", () => t.zoom(0.5)), button("−", "zoom out", () => t.zoom(2)), button("←", "earlier", () => t.pan(-0.3)), button("→", "later", () => t.pan(0.3)),
      button("Whole", "the whole window", () => t.show(data.from_ns, data.to_ns)), data.left ? h("span", { class: "quiet" }, `${data.left} shorter spans are not drawn`) : null),
    t.picture, t.panel);
}
