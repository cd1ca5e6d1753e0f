// The controls: each sets one key of the scenario or several together.

import { h } from "./dom.js";

const list = [
  { label: "Input length", unit: "tokens", keys: ["workload.input_tokens"], steps: ["512", "1024", "2048", "4096", "8192", "16384", "24576"] },
  { label: "Request rate", keys: ["workload.qps"], steps: ["0.5/s", "1/s", "2/s", "4/s", "6/s", "8/s", "12/s", "16/s"] },
  { label: "Requests", keys: ["workload.requests"], steps: ["1", "2", "10", "50", "100", "200"] },
  { label: "Block size", unit: "tokens", keys: ["prefill.block_size", "decode.block_size"], steps: ["16", "32", "64", "128"] },
  { label: "Descriptors merge", keys: ["network.merge"], words: { neighbours: "neighbouring blocks", always: "always (nothing fragmented)", never: "never (all fragmented)" } },
  { label: "Pools start fragmented", keys: ["network.fragmented"], truth: true },
  { label: "Sequence cap of decode", keys: ["decode.max_num_seqs"], steps: ["1", "2", "4", "8", "16", "32", "64", "1024"] },
  { label: "Rails a GPU", keys: ["costs.instance.rails_per_gpu"], steps: ["1", "2", "4", "8"] },
  { label: "Rate of a rail", keys: ["costs.instance.rail_rate"], steps: ["12.5GB/s", "25GB/s", "50GB/s", "100GB/s"] },
  { label: "Posting a READ", keys: ["costs.backend.post_read"], steps: ["100ns", "300ns", "1us", "2us", "3us", "5us"] },
  { label: "Posting a WRITE", keys: ["costs.backend.post_write"], steps: ["100ns", "300ns", "1us", "2us", "3us", "5us"] },
  { label: "KV layout", keys: ["network.kv_layout"], words: { split: "split K and V", packed: "packed per layer", "cross-layer": "cross-layer" } },
  { label: "Dispatch", keys: ["router.dispatch"], words: { concurrent: "both legs at once", sequential: "decode after prefill" } },
  { label: "Prefill keeps prefixes", keys: ["prefill.prefix_caching"], truth: true },
  { label: "Warm-up", unit: "iterations", keys: ["workload.warmup"], steps: ["0", "1", "2"] },
  { label: "Iterations", keys: ["workload.iterations"], steps: ["1", "2", "5", "10"] },
  { label: "Seed", keys: ["run.seed"], number: true },
];

const scales = { ps: 1e-3, ns: 1, us: 1e3, ms: 1e6, s: 1e9, "/s": 1, "B/s": 1, "kB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12 };

// size is what a value with a unit counts, to sort by.
export function size(text) {
  const [, number, unit] = /^([0-9.eE+-]+|inf)(.*)$/.exec(text) ?? [];
  return number === "inf" ? Infinity : Number(number) * (scales[unit] ?? 1);
}

// steps is the values of a slider, with the scenario's own among them.
function steps(control, ...own) {
  const all = [...control.steps];
  for (const value of own) if (!all.some((step) => size(step) === size(value))) all.push(value);
  return all.sort((a, b) => size(a) - size(b));
}

function slider(control, value, own, change) {
  const values = steps(control, own, value);
  const at = values.findIndex((step) => size(step) === size(value));
  const shown = h("output", {}, value);
  return [h("input", {
    type: "range", min: 0, max: values.length - 1, step: 1, value: at, "aria-valuetext": value, "data-values": values.join(" "),
    oninput: (event) => {
      const next = values[event.target.value];
      shown.value = next;
      event.target.setAttribute("aria-valuetext", next);
      change(next);
    },
  }), shown];
}

function input(control, value, own, change) {
  if (control.steps) return slider(control, value, own, change);
  if (control.truth) return [h("input", { type: "checkbox", checked: value === "true", onchange: (event) => change(String(event.target.checked)) })];
  if (control.number) return [h("input", { type: "number", min: 0, max: 4294967295, step: 1, value, onchange: (event) => change(event.target.value || "0") })];
  const words = Object.entries(control.words);
  return [h("select", { onchange: (event) => change(event.target.value) }, words.map(([word, text]) => h("option", { value: word, selected: word === value }, text)))];
}

// within is a control with those of its values that a static site has answers for.
function within(control, values) {
  if (control.steps) return { ...control, steps: values };
  return { ...control, words: Object.fromEntries(Object.entries(control.words).filter(([word]) => values.includes(word))) };
}

// show puts the controls up for what a run used. own are the scenario's values before anything was changed; change is
// told of keys and their new value, or undefined for the scenario's own. grid is what a static site has.
export function show(form, { values, own, protocols, chosen, state, grid, change, choose }) {
  const focused = document.activeElement?.closest?.("[data-key]")?.dataset.key;
  const rows = list.filter((control) => control.keys[0] in values).filter((control) => !grid || control.keys[0] in grid).map((control) => {
    if (grid) control = within(control, grid[control.keys[0]]);
    const [key] = control.keys;
    const parts = input(control, values[key], own[key] ?? values[key], (value) => change(control.keys, value));
    const reset = state.set.has(key) && values[key] !== own[key] && h("button", {
      type: "button", class: "reset", title: `back to ${own[key]}`, "aria-label": `${control.label}: back to ${own[key]}`, onclick: () => change(control.keys, undefined),
    }, "↺");
    return h("div", { class: "control", "data-key": key }, h("label", { title: control.keys.join(", ") }, h("span", {}, control.label, control.unit && h("small", {}, ` ${control.unit}`)), ...parts), reset);
  });
  const boxes = protocols.map((name) => h("label", {}, h("input", {
    type: "checkbox", name: "protocol", value: name, checked: chosen.includes(name), disabled: Boolean(grid),
    onchange: () => choose([...form.querySelectorAll("input[name=protocol]:checked")].map((box) => box.value)),
  }), name));
  form.replaceChildren(h("fieldset", { class: "protocols", "data-key": "run.protocols" }, h("legend", {}, "Protocols"), boxes), ...rows);
  if (focused) form.querySelector(`[data-key="${focused}"]`)?.querySelector("input, select")?.focus();
}
