import {
  both,
  collected,
  combined,
  comparisons,
  constant,
  type Filter,
  field,
  functions,
  InvalidFilterError,
  identity,
  isTrue,
  item,
  piped,
  record,
  spread,
  takingFilters,
  tolerant,
} from "./filters";

const LITERAL = /^(["\d-]|(true|false|null)$)/;

/**
 * Parses the subset of jq that selects parts of a response: paths, pipes, commas, comparisons, `and`, `or`, lists,
 * objects, `select`, `map`, `join`, `length`, `keys` and `not`.
 */
export function filterFrom(text: string): Filter {
  const tokens = tokensOf(text);
  let at = 0;
  const next = (): string => tokens[at] ?? "";
  const isNext = (token: string): boolean => {
    if (next() !== token) return false;
    at++;
    return true;
  };
  const take = (): string => {
    const token = tokens[at++];
    if (token === undefined) throw new InvalidFilterError("is incomplete");
    return token;
  };
  const expect = (token: string): void => {
    if (!isNext(token))
      throw new InvalidFilterError(`expected "${token}" but ${next() ? `found "${next()}"` : "the filter ends"}`);
  };
  const chain = (sign: string, part: () => Filter, join: (left: Filter, right: Filter) => Filter) => (): Filter => {
    let filter = part();
    while (isNext(sign)) filter = join(filter, part());
    return filter;
  };

  const and = chain("and", comparison, (a, b) => combined(a, b, (left, right) => isTrue(left) && isTrue(right)));
  const or = chain("or", and, (a, b) => combined(a, b, (left, right) => isTrue(left) || isTrue(right)));
  const pipe = chain("|", chain(",", or, both), piped);

  function comparison(): Filter {
    const left = path();
    const compare = comparisons.get(next());
    if (!compare) return left;
    at++;
    return combined(left, path(), compare);
  }

  function path(): Filter {
    let filter = term();
    for (;;) {
      if (isField(next())) filter = piped(filter, field(take().slice(1)));
      else if (isNext("[")) filter = piped(filter, inBrackets());
      else if (isNext("?")) filter = tolerant(filter);
      else return filter;
    }
  }

  function term(): Filter {
    const token = take();
    if (token === ".") return isNext("[") ? inBrackets() : identity;
    if (isField(token)) return field(token.slice(1));
    if (LITERAL.test(token)) return constant(literal(token));
    if (token === "(") return until(")");
    if (token === "[") return isNext("]") ? constant([]) : collected(until("]"));
    if (token === "{") return object();
    const ready = functions.get(token);
    const taking = takingFilters.get(token);
    if (ready) return ready;
    if (!taking) throw new InvalidFilterError(`"${token}" is not supported`);
    expect("(");
    return taking(until(")"));
  }

  function until(end: string): Filter {
    const filter = pipe();
    expect(end);
    return filter;
  }

  /** Parses an index after its opening bracket: `]`, `3]` or `"name"]`. */
  function inBrackets(): Filter {
    if (isNext("]")) return spread;
    const token = take();
    const key = LITERAL.test(token) ? literal(token) : undefined;
    if (typeof key !== "number" && typeof key !== "string")
      throw new InvalidFilterError(`expected a number or a string in brackets but found "${token}"`);
    expect("]");
    return typeof key === "number" ? item(key) : field(key);
  }

  function object(): Filter {
    const parts: [string, Filter][] = [];
    while (!isNext("}")) {
      if (parts.length) expect(",");
      const token = take();
      const key = token.startsWith('"') ? String(literal(token)) : token;
      parts.push([key, isNext(":") ? or() : field(key)]);
    }
    return record(parts);
  }

  const filter = pipe();
  if (next()) throw new InvalidFilterError(`unexpected "${next()}" after the end of the filter`);
  return filter;
}

function literal(token: string): unknown {
  try {
    return JSON.parse(token);
  } catch {
    throw new InvalidFilterError(`${token} is not valid JSON`);
  }
}

const isField = (token: string): boolean => /^\.\w/.test(token);

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|\.?[A-Za-z_]\w*|[=!<>]=|[<>.|,()[\]{}:?]/y;

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0);
    if (TOKEN.lastIndex === text.length) break;
    const [token] = TOKEN.exec(text) ?? [];
    if (token === undefined) throw new InvalidFilterError(`syntax error at "${text.slice(at).trim().slice(0, 20)}"`);
    tokens.push(token);
  }
  return tokens;
}
