/** The statements of a section of the documents, in our words, or the reason why no test can verify them. */
type Title = string | { title: string; untestable: string };

export interface Section {
  /** Document and section, as `source` names them. */
  name: string;
  /**
   * How the section numbers its statements: a rule for each numbered item or sentence, a limit for each list item, a
   * state for each name with a table of transitions.
   */
  kind: "rule" | "limit" | "state";
  statements: readonly Title[];
}
