// The lesson: states of the published scenario, each with a few words. Numbers in the words come from the results.

import { h } from "./dom.js";

let steps;

async function load() {
  steps ??= await (await fetch("lesson.json")).json();
  return steps;
}

// told fills numbers in: "{push.mean_ttft_ms}" is that of the result of push, "{pull/push.mean_ttft_ms}" a ratio.
function told(text, answer) {
  const figure = (protocol, name) => name.split(".").reduce((at, part) => at?.[part], answer.results.find((r) => r.protocol === protocol)?.result);
  return text.replace(/\{([a-z-]+)(?:\/([a-z-]+))?\.([a-z0-9_.]+)\}/g, (all, a, b, name) => {
    const value = b ? figure(a, name) / figure(b, name) : figure(a, name);
    return value === undefined ? all : Number(value.toPrecision(3)).toLocaleString("en", { maximumSignificantDigits: 3 });
  });
}

// stateOf is what a step shows.
export function stateOf(step, number) {
  return { scenario: step.scenario, set: new Map(Object.entries(step.set)), protocols: step.protocols, request: step.request, view: "lesson", step: number, from: 0, to: 0 };
}

// begin is the state of the first step.
export async function begin() {
  return stateOf((await load())[0], 0);
}

// lesson shows a step's words; change goes on to another state.
export async function lesson(box, state, answer, change) {
  const all = await load();
  const number = Math.min(Math.max(state.step, 0), all.length - 1);
  const step = all[number];
  const turn = (text, to) => h("button", { type: "button", disabled: !all[to], onclick: () => change(stateOf(all[to], to)), "data-turn": text }, text);
  box.replaceChildren(
    h("h2", {}, `${number + 1} of ${all.length}: ${step.title}`),
    ...step.text.map((paragraph) => h("p", {}, told(paragraph, answer))),
    h("div", { class: "turn" }, turn("Back", number - 1), turn("Next", number + 1)));
}
