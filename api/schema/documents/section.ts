/** The statements of a section of the documents, in our words; or why no test can hold the service to it. */
type Title = string | { title: string; untestable: string };

export interface Section {
  /** Document and section, as `source` names them. */
  name: string;
  /**
   * Numbered rules, or what a section of prose says, sentence by sentence; limits are the bullets of a list. States have
   * no number but a name: a table of transitions each.
   */
  kind: "rule" | "limit" | "state";
  statements: readonly Title[];
}
