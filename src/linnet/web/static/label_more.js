// What stands below the text when it is asked for: the learning curve, suspected mistakes, and agreement.
import { el } from "./elements.js";

export const percent = (share) => `${(100 * share).toFixed(1)}%`;

function table(head, rows) {
  const body = rows.map((cells) => el("tr", {}, ...cells.map((cell) => el("td", { dir: "auto" }, cell))));
  return el("table", {}, el("thead", {}, el("tr", {}, ...head.map((name) => el("th", { scope: "col" }, name)))), el("tbody", {}, ...body));
}

export const curve = (found) => [
  el("h2", {}, "Learning curve"),
  el("p", {}, found.advice),
  ...(found.curve.some((point) => point.held_out.n) ? [table(["answers learned from", `held-out ${found.curve[0]?.held_out.measure ?? "accuracy"}`, "interval"], found.curve.map(({ answers, held_out: held }) => [
    String(answers), percent(held.share), `${percent(held.low)} – ${percent(held.high)}`,
  ]))] : []),
  el("p", { class: "dim" }, "Held-out texts are drawn at random and never learned from. What another order of the texts would have given cannot be known from one labelling; where scripts gave the answers, the order by uncertainty lost to random order in some runs on sentences of reviews."),
];

const capital = (sentence) => sentence.slice(0, 1).toUpperCase() + sentence.slice(1);
const named = (by) => by || "(no name)";
const defined = (value) => (value === null ? "not defined" : value.toFixed(3));

// show: a function that shows a text again, by its number.
export const reviewed = (show) => ({ doubts, said, agreement, differ }) => {
  const again = (number) => {
    const button = el("button", { type: "button", "aria-label": `Show text ${number + 1}` }, String(number + 1));
    button.onclick = () => {
      show(number);
      scrollTo(0, 0);
    };
    return button;
  };
  return [
    el("h2", {}, "Suspected mistakes"),
    doubts.length
      ? table(["text", "answer", "rather", "what it says"], doubts.map((one) => [again(one.row), one.label, one.suggested, one.text.slice(0, 200)]))
      : el("p", {}, capital(said) || "None was found."),
    el("h2", {}, "Agreement"),
    el("p", {}, agreement.n
      ? `${agreement.n.toLocaleString("en")} decisions have several answers; Krippendorff’s alpha is ${defined(agreement.alpha)}.`
      : "No text has answers of several annotators yet."),
    ...(agreement.pairs.length
      ? [table(["", "", "Cohen’s kappa", "decisions"], agreement.pairs.map((pair) => [named(pair.one), named(pair.other), defined(pair.kappa), String(pair.n)]))]
      : []),
    ...(differ.length
      ? [el("h2", {}, "Answers that differ"), table(["text", "answers", "what it says"], differ.map((one) => [again(one.row), Object.entries(one.answers).map(([by, answer]) => `${named(by)}: ${answer}`).join("; "), one.text.slice(0, 200)]))]
      : []),
  ];
};
