/** The statements of a section of the documents, in our words, or the reason why no test can verify them. */
type Title = string | { title: string; untestable: string };

export interface Section {
  /** Document and section, with the name that `source` fields use. */
  name: string;
  /**
   * How statements are counted: `rule` for each numbered item or sentence, `limit` for each list item, `state` for each
   * name that has a table of transitions.
   */
  kind: "rule" | "limit" | "state";
  statements: readonly Title[];
}
