import type { ResourceValidationArgs } from "@pulumi/policy";
import { listIn } from "./resource";
import { knownIn, requireKnown } from "./unknown";

/** Key for comparing tags, because the service ignores their case. */
const sameTag = (tag: string): string => tag.toLowerCase();

/** The first of a resource's tags that is among the given ones. */
export function tagAmong(tags: unknown, wanted: readonly string[]): string | undefined {
  const keys = wanted.map(sameTag);
  return knownIn(listIn(tags), (tag) => keys.includes(sameTag(tag)))[0];
}

/** The same for the tags that a resource will have, declared ones and default tags of its provider. */
export function declaredTagAmong(
  { props, provider }: Pick<ResourceValidationArgs, "props" | "provider">,
  wanted: readonly string[],
): string | undefined {
  const found = tagAmong(props.tags, wanted);
  // A provider adds its default tags before policies run, but Pulumi does not call one with unknown settings.
  if (found === undefined && provider?.props.defaultTags !== undefined) requireKnown(provider.props);
  return found;
}
