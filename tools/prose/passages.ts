import ts from "typescript";

/** Separates comments and texts in the extracted prose. No rule matches across it. */
const END = "\0";

/** Replaces code within a sentence, such as a code span or `${…}`, so that rules do not match it. */
const CODE = "¤";

type Blank = readonly [pattern: RegExp, by: string];
const COMMENT_MARKS: Blank = [/^\/[/*]+<?|^[ \t]*\*+\/?|\*+\/$/gm, " "];
const CODE_SPANS: Blank = [/(`+)[^`]+\1/g, CODE];
const ESCAPES: Blank = [/\\[nrt]/g, " "];
const FENCES: Blank = [/^([ \t]*)(```|~~~)[\s\S]*?^\s*\2[ \t]*$/gm, END];
const HTML_COMMENTS: Blank = [/<!--[\s\S]*?-->/g, END];
const LINK_TARGETS: Blank = [/(?<=\])\([^)\s]*\)/g, " "];
const BREAKS: Blank = [/\n\s*\n|\|/g, END];

/**
 * Replaces everything that is not prose by other characters of the same length, so that findings have the line numbers
 * of the file.
 */
export function prose(file: string, text: string): string {
  if (/\.[cm]?ts$/.test(file)) return typescript(file, text);
  return file.endsWith(".md") ? markdown(text) : script(text);
}

/** The comments and the quoted texts of a shell script, a Makefile or a YAML file. */
function script(text: string): string {
  const out = Array<string>(text.length).fill(END);
  for (const { index, 0: passage } of text.matchAll(/(?<=(?:^|\s)#+\s).*|"[^"\n]*\s[^"\n]*"/gm)) {
    for (let at = 0; at < passage.length; at++) out[index + at] = passage[at] ?? END;
  }
  return out.join("");
}

function typescript(file: string, text: string): string {
  const out = Array<string>(text.length).fill(END);
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  /** Copies a range of the file to the result. Matches of `blanks`, such as code spans, are replaced. */
  const copy = (from: number, to: number, blanks: readonly Blank[]) => {
    for (let at = from; at < to; at++) out[at] = text[at] ?? END;
    for (const [pattern, by] of blanks) {
      for (const match of text.slice(from, to).matchAll(pattern)) fill(out, from + match.index, match[0].length, by);
    }
  };
  const comments = (ranges: readonly ts.CommentRange[] = []) => {
    for (const { pos, end } of ranges) copy(pos, end, [COMMENT_MARKS, CODE_SPANS]);
  };
  /** Copies a string literal, but only if it has several words: a single word is a name or a value. */
  const literal = (from: number, to: number) => {
    if (/\S\s+\S/.test(text.slice(from, to))) copy(from, to, [ESCAPES]);
  };
  const visit = (node: ts.Node): void => {
    comments(ts.getLeadingCommentRanges(text, node.pos));
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      literal(node.getStart(source) + 1, node.end - 1);
    } else if (ts.isTemplateExpression(node)) {
      template(node);
    } else {
      for (const child of node.getChildren(source)) visit(child);
      comments(ts.getTrailingCommentRanges(text, node.end));
    }
  };
  const template = ({ head, templateSpans }: ts.TemplateExpression) => {
    copy(head.getStart(source) + 1, head.end - 2, [ESCAPES]);
    for (const { expression, literal: after } of templateSpans) {
      const start = after.getStart(source) + 1;
      fill(out, expression.pos - 2, start - expression.pos + 2, CODE);
      visit(expression);
      copy(start, after.end - (ts.isTemplateTail(after) ? 1 : 2), [ESCAPES]);
    }
  };
  visit(source);
  return out.join("");
}

function markdown(text: string): string {
  const out = text.split("");
  for (const [pattern, by] of [FENCES, HTML_COMMENTS, CODE_SPANS, LINK_TARGETS, BREAKS]) {
    for (const match of out.join("").matchAll(pattern)) fill(out, match.index, match[0].length, by);
  }
  return out.join("");
}

function fill(out: string[], from: number, length: number, by: string): void {
  out.fill(by, from, from + length);
}
