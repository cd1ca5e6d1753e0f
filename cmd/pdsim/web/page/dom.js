// Elements and numbers.

const svgNamespace = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(element.style, value); // not as an attribute, which the page's policy forbids
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// h makes an HTML element.
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

// svg makes an SVG element.
export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(svgNamespace, tag), attributes, children);
}

// ms writes nanoseconds as milliseconds, with as many digits as their size asks for.
export function ms(ns) {
  const value = ns / 1e6;
  const size = Math.abs(value);
  return `${value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3)} ms`;
}

// ticks are round numbers from 0 to most, about so many.
export function ticks(most, about = 5) {
  if (!(most > 0)) return [0];
  const rough = most / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough);
  const list = [];
  for (let i = 0; i * step <= most * 1.0001; i++) list.push(Number((i * step).toPrecision(12)));
  return list;
}

// sort is what sort of thing a step or span is, for its colour: by its thread's name, whatever the protocol.
export function sort(thread, wait) {
  if (wait || thread.endsWith("/waiting")) return "wait";
  if (thread.endsWith("/gpu")) return "gpu";
  if (thread.includes("/rail")) return "rail";
  if (thread.endsWith("/worker main") || thread.endsWith("/writer") || thread.endsWith("/reader")) return "post";
  if (thread.includes("/")) return "loop";
  return "hop";
}

// sorts are the sorts with what the legend says of them.
export const sorts = {
  wait: "waiting", gpu: "GPU", rail: "rails", post: "worker and background threads", loop: "engine loop and API server", hop: "router, client, notifications",
};

// legend explains the colours.
export function legend() {
  return h("ul", { class: "legend", "aria-label": "Colours" }, Object.entries(sorts).map(([name, text]) => h("li", {}, h("span", { class: `swatch ${name}` }), text)));
}

// choices are radio buttons in a row.
export function choices(label, name, options, chosen, choose) {
  return h("fieldset", { class: "choices" }, h("legend", {}, label), options.map(([value, text]) => h("label", {},
    h("input", { type: "radio", name, value, checked: value === chosen, onchange: () => choose(value) }), text)));
}
