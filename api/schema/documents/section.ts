/** The statements of a section of the documents, in our words, or the reason why no test can verify them. */
type Title = string | { title: string; untestable: string };

export interface Section {
  /** Document and section, as `source` names them. */
  name: string;
  /**
   * Rules by number, or the statements of a prose section, sentence by sentence; limits are the items of a list. States
   * have names instead of numbers, each with a table of transitions.
   */
  kind: "rule" | "limit" | "state";
  statements: readonly Title[];
}
