/** A small stack in each language: a volume, and a domain with a record that refers to it. */
export const programs = {
  "typescript-dynamic": {
    "Pulumi.yaml": "name: shop\nruntime: nodejs\n",
    "index.ts": typescript("pulumi-cloudinfra"),
  },
  "typescript-native": {
    "Pulumi.yaml": `name: shop
runtime: nodejs
plugins:
  providers:
    - name: cloudinfra
      path: ./node_modules/pulumi-cloudinfra
`,
    "index.ts": typescript("pulumi-cloudinfra/native"),
  },
  python: {
    "Pulumi.yaml": "name: shop\nruntime: python\n",
    "__main__.py": `import pulumi
import pulumi_cloudinfra as cloudinfra

data = cloudinfra.Volume("data", label="data", region="us-east", size=20)
zone = cloudinfra.Domain("zone", domain="example.org", type="master", soa_email="admin@example.org")
cloudinfra.DomainRecord("www", domain_id=zone.id, type="A", name="www", target="192.0.2.1")
pulumi.export("volume", data.id)
`,
  },
  go: {
    "Pulumi.yaml": "name: shop\nruntime: go\n",
    "main.go": `package main

import (
	"github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go/cloudinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		data, err := cloudinfra.NewVolume(ctx, "data", &cloudinfra.VolumeArgs{
			Label: pulumi.String("data"), Region: pulumi.String("us-east"), Size: pulumi.Int(20),
		})
		if err != nil {
			return err
		}
		zone, err := cloudinfra.NewDomain(ctx, "zone", &cloudinfra.DomainArgs{
			Domain: pulumi.String("example.org"), Type: pulumi.String("master"), SoaEmail: pulumi.String("admin@example.org"),
		})
		if err != nil {
			return err
		}
		_, err = cloudinfra.NewDomainRecord(ctx, "www", &cloudinfra.DomainRecordArgs{
			DomainId: zone.ID(), Type: pulumi.String("A"), Name: pulumi.String("www"), Target: pulumi.String("192.0.2.1"),
		})
		ctx.Export("volume", data.ID())
		return err
	})
}
`,
  },
  yaml: {
    "Pulumi.yaml": `name: shop
runtime: yaml
resources:
  data:
    type: cloudinfra:Volume
    properties: { label: data, region: us-east, size: 20 }
    options: { version: VERSION, pluginDownloadURL: "github://api.github.com/pulumi-cloudinfra/pulumi-cloudinfra" }
  zone:
    type: cloudinfra:Domain
    properties: { domain: example.org, type: master, soaEmail: admin@example.org }
    options: { version: VERSION, pluginDownloadURL: "github://api.github.com/pulumi-cloudinfra/pulumi-cloudinfra" }
  www:
    type: cloudinfra:DomainRecord
    properties: { domainId: "\${zone.id}", type: A, name: www, target: 192.0.2.1 }
    options: { version: VERSION, pluginDownloadURL: "github://api.github.com/pulumi-cloudinfra/pulumi-cloudinfra" }
outputs:
  volume: \${data.id}
`,
  },
} satisfies Record<string, Record<string, string>>;

function typescript(module: string): string {
  return `import { Domain, DomainRecord, Volume } from "${module}";

const data = new Volume("data", { label: "data", region: "us-east", size: 20 });
const zone = new Domain("zone", { domain: "example.org", type: "master", soaEmail: "admin@example.org" });
new DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.1" });
export const volume = data.id;
`;
}
