import { Deployment } from "@pulumi/kubernetes/apps/v1";
import { Namespace, Service } from "@pulumi/kubernetes/core/v1";
import { Provider, type ProviderArgs } from "@pulumi/kubernetes/provider";
import type * as pulumi from "@pulumi/pulumi";

/**
 * Deploys an app with two replicas behind a load balancer, and returns the address of the load balancer. The place is a
 * cluster, or the folder for its manifests.
 */
export function deployApp(
  name: string,
  place: Pick<ProviderArgs, "kubeconfig" | "renderYamlToDirectory">,
): pulumi.Output<string> {
  const { kubeconfig, renderYamlToDirectory } = place;
  const provider = new Provider(name, renderYamlToDirectory ? { renderYamlToDirectory } : { kubeconfig });
  const namespace = new Namespace(name, { metadata: { name } }, { provider });
  const metadata = { namespace: namespace.metadata.name, labels: { app: name } };

  new Deployment(
    name,
    {
      metadata,
      spec: {
        replicas: 2,
        selector: { matchLabels: metadata.labels },
        template: {
          metadata: { labels: metadata.labels },
          spec: {
            containers: [
              {
                name,
                image: "nginx:1.27-alpine",
                ports: [{ name: "http", containerPort: 80 }],
                readinessProbe: { httpGet: { path: "/", port: "http" } },
                resources: { requests: { cpu: "50m", memory: "32Mi" }, limits: { memory: "64Mi" } },
              },
            ],
          },
        },
      },
    },
    { provider },
  );

  const service = new Service(
    name,
    {
      metadata,
      spec: { type: "LoadBalancer", selector: metadata.labels, ports: [{ port: 80, targetPort: "http" }] },
    },
    { provider },
  );
  return service.status.loadBalancer.ingress[0].ip;
}
