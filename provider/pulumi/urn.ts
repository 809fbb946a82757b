/** The URN of a resource that has no parent. */
export const urnOf = ({ stack, project, type, name }: ReturnType<typeof urnParts>): string =>
  `urn:pulumi:${stack}::${project}::${type}::${name}`;

/** The parts of a URN such as `urn:pulumi:dev::shop::Parent$Type::name`. Empty if the text is not a URN. */
export function urnParts(urn: string): { stack: string; project: string; type: string; name: string } {
  const [, rest = ""] = /^urn:pulumi:(.*)$/s.exec(urn) ?? [];
  const [stack = "", project = "", types = "", ...name] = rest.split("::");
  return { stack, project, type: types.slice(types.lastIndexOf("$") + 1), name: name.join("::") };
}

/** Whether a resource has a parent other than the stack: a URN then begins its type with that of the parent. */
export const hasParent = (urn: string): boolean => urn.split("::")[2]?.includes("$") === true;
