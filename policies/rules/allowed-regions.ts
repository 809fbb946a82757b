import type { ResourceValidationPolicy } from "@pulumi/policy";
import { configurationOf, type Schema, texts } from "../configuration";
import { kindOf, kindsWith, nameOf, quoted } from "../resource";

const configSchema: Schema<{ regions: string[]; clusters: string[] }> = {
  properties: {
    regions: texts("Regions that are allowed. If empty, the policy does not apply."),
    clusters: texts(
      "Object storage clusters that are allowed in addition to those of the allowed regions, such as `us-east-1` of `us-east`.",
    ),
  },
};

const [regional, clustered] = [kindsWith("region"), kindsWith("cluster")];

export const allowedRegions = {
  name: "allowed-regions",
  description: "Resources must be in an allowed region.",
  enforcementLevel: "mandatory",
  severity: "high",
  configSchema,
  remediationSteps: "Choose an allowed region. Most resources are replaced when their region changes.",
  validateResource(args, report) {
    const { regions, clusters } = configurationOf(allowedRegions, args);
    if (!regions.length) args.notApplicable("No regions are configured");
    const kind = kindOf(args.type);
    if (kind && regional.includes(kind)) {
      const { region } = args.props;
      if (region !== undefined && region !== null && !regions.includes(region))
        report(`${nameOf(args)}: region is ${quoted([region])}. Allowed regions are ${quoted(regions)}.`);
    } else if (kind && clustered.includes(kind)) {
      const { cluster } = args.props;
      if (!clusters.includes(cluster) && !regions.some((region) => isClusterOf(String(cluster), region)))
        report(
          `${nameOf(args)}: cluster is ${quoted([cluster])}. Allowed are clusters of the regions ${quoted(regions)}` +
            `${clusters.length ? `, and ${quoted(clusters)}` : ""}.`,
        );
    } else args.notApplicable(`The policy only applies to ${[...regional, ...clustered].join(", ")}`);
  },
} satisfies ResourceValidationPolicy;

/** The id of a cluster is that of its region and a number, such as `us-east-1`. */
const isClusterOf = (cluster: string, region: string): boolean =>
  cluster.startsWith(`${region}-`) && /^\d+$/.test(cluster.slice(region.length + 1));
