import { expect, test } from "vitest";
import { messages, sandbox } from "./sandbox";

test("reports every invalid property at once, with the allowed and the given value", async () => {
  await using box = await sandbox(`
    new cloudinfra.Instance("web", {
      label: "-w", region: "us-est", type: "g6-nanode-2", image: "compute/debian11", rootPass: "plant", rootpas: "planted-too", bootd: true,
      interfaces: [{ purpose: "public" }, { purpose: "public" }, { purpose: "vlan" }, { purpose: "vlan", label: "a b" }],
      config: { kernel: "compute/newest", devices: { sda: { diskId: 1, volumeId: 2 } } },
    });`);
  const instance = await box.stack.preview([], { mayFail: true });
  expect(instance.code).not.toBe(0);
  expect(messages(instance)).toMatchInlineSnapshot(`
    [
      "error: pulumi-nodejs:dynamic/cloudinfra:Instance resource 'web': property ["rootPass"] value {<nil>} has a problem: must be at least 7 characters long (given [secret])",
      "error: pulumi-nodejs:dynamic/cloudinfra:Instance resource 'web': property ["rootPass"] value {<nil>} has a problem: must contain at least two of lower case letters, upper case letters, digits and other characters (given [secret])",
      "error: pulumi-nodejs:dynamic/cloudinfra:Instance resource 'web': property label value {-w} has a problem: must be at least 3 characters long (given "-w")",
      "error: pulumi-nodejs:dynamic/cloudinfra:Instance resource 'web': property label value {-w} has a problem: must start with a letter and contain only letters, digits, single dashes, single underscores and single periods (given "-w")",
      "error: pulumi-nodejs:dynamic/cloudinfra:Instance resource 'web': property ["interfaces"] value {<nil>} has a problem: must have at most 3 entries (given [{"purpose":"public","label":"","ipamAddress":""},{"purpose":"public","label":"","ipamAddress":""},{…)",
      "error: pulumi-nodejs:dynamic/cloudinfra:Instance resource 'web': property ["bootd"] value {<nil>} has a problem: is not a known field; did you mean "booted"?",
      "error: pulumi-nodejs:dynamic/cloudinfra:Instance resource 'web': property ["rootpas"] value {<nil>} has a problem: is not a known field; did you mean "rootPass"?",
      "error: pulumi-nodejs:dynamic/cloudinfra:Instance resource 'web': property config.devices.sda value {<nil>} has a problem: must contain either a disk or a volume, not both (disk 1 and volume 2) (given {"diskId":1,"volumeId":2})",
      "error: pulumi-nodejs:dynamic/cloudinfra:Instance resource 'web': property config.kernel value {<nil>} has a problem: must be "compute/4.14.120-x86-compute131", "compute/5.10.13-x86_64-compute141", "compute/5.14.17-x86_64-compute150", "compute/5.15.10-x86_64-compute152", "compute/direct-disk", "compute/grub2", "compute/latest-32bit" or "compute/latest-64bit" (given "compute/newest")",
      "error: pulumi-nodejs:dynamic/cloudinfra:Instance resource 'web': property region value {us-est} has a problem: must be "ap-northeast", "ap-south", "ap-southeast", "ap-west", "ca-central", "eu-central", "eu-west", "us-central", "us-east", "us-southeast" or "us-west"; did you mean "us-east"? (given "us-est")",
      "error: pulumi-nodejs:dynamic/cloudinfra:Instance resource 'web': property type value {g6-nanode-2} has a problem: must be "g1-gpu-rtx6000-1", "g1-gpu-rtx6000-2", "g5-nanode-1", "g5-standard-1", "g5-standard-2", "g6-dedicated-16", "g6-dedicated-2", "g6-dedicated-4", "g6-dedicated-8", "g6-nanode-1", "g6-standard-1", "g6-standard-2", "g6-standard-4", "g6-standard-6", "g6-standard-8", "g7-highmem-1", "g7-highmem-2" or "g7-highmem-4"; did you mean "g6-nanode-1"? (given "g6-nanode-2")",
    ]
  `);
  // If an error names a property, Pulumi prints the value of the property, even if it is secret. Pulumi does not
  // recognize a quoted name.
  expect(instance.stdout + instance.stderr).not.toContain("plant");

  await box.rewrite(`
    new cloudinfra.Firewall("wall", {
      label: "w",
      rules: {
        inboundPolicy: "REJECT",
        outboundPolicy: "ACCEPT",
        inbound: [
          { action: "ACCEPT", protocol: "TCP", ports: "80, 99999", addresses: { ipv4: ["192.0.2.0/33"] } },
          { action: "ACCEPT", protocol: "ICMP", ports: "22", addresses: { ipv6: ["2001:db8::/129"] } },
        ],
      },
    });`);
  const firewall = await box.stack.preview([], { mayFail: true });
  expect(firewall.code).not.toBe(0);
  expect(messages(firewall)).toMatchInlineSnapshot(`
    [
      "error: pulumi-nodejs:dynamic/cloudinfra:Firewall resource 'wall': property label value {w} has a problem: must be at least 3 characters long (given "w")",
      "error: pulumi-nodejs:dynamic/cloudinfra:Firewall resource 'wall': property label value {w} has a problem: must start and end with a letter or digit and contain only letters, digits, single dashes, single underscores and single periods (given "w")",
      "error: pulumi-nodejs:dynamic/cloudinfra:Firewall resource 'wall': property rules.inboundPolicy value {<nil>} has a problem: must be "ACCEPT" or "DROP" (given "REJECT")",
      "error: pulumi-nodejs:dynamic/cloudinfra:Firewall resource 'wall': property rules.inbound[0].addresses.ipv4[0] value {<nil>} has a problem: must be an IPv4 address or network like 192.0.2.0/24 (given "192.0.2.0/33")",
      "error: pulumi-nodejs:dynamic/cloudinfra:Firewall resource 'wall': property rules.inbound[1].addresses.ipv6[0] value {<nil>} has a problem: must be an IPv6 address or network like 2001:db8::/32 (given "2001:db8::/129")",
      "error: pulumi-nodejs:dynamic/cloudinfra:Firewall resource 'wall': property rules.inbound[0].ports value {<nil>} has a problem: must contain only ports from 1 to 65535: "99999" is out of range (given "80, 99999")",
      "error: pulumi-nodejs:dynamic/cloudinfra:Firewall resource 'wall': property rules.inbound[1].ports value {<nil>} has a problem: must be omitted for ICMP (given "22")",
    ]
  `);
});

const program = ({ type = "g6-nanode-1", key = "one", allowReboot = true }) => `
  new cloudinfra.Instance("web", {
    label: "web-1", region: "us-east", type: "${type}", image: "compute/debian11", rootPass: "Correct-Horse-42",
    authorizedKeys: ["ssh-ed25519 ${key}"], allowReboot: ${allowReboot},
  });
  const zone = new cloudinfra.Domain("zone", { domain: "example.org", type: "master", soaEmail: "a@example.org" });
  new cloudinfra.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.1", ttlSec: 1000 });`;

test("a preview warns about rounded values, shutdowns and edits without effect", async () => {
  await using box = await sandbox(program({}));
  const { stack } = box;
  expect(messages(await stack.up())).toMatchInlineSnapshot(`
    [
      "warning: www: ttlSec 1000 will be rounded to 300, the nearest value the service supports",
    ]
  `);
  await box.rewrite(program({ type: "g6-standard-1", key: "two" }));
  const announced = await stack.preview();
  expect(announced.ops).toEqual({ "Instance web": "update" });
  expect(messages(announced)).toMatchInlineSnapshot(`
    [
      "warning: web-1: authorizedKeys changed: the value is used only when the disk is deployed; to apply a new one, replace the instance with "pulumi up --target-replace" and its URN, which deletes its disks, backups and addresses; if the program sets its label, first add the resource option deleteBeforeReplace",
      "warning: web-1: will shut down and boot to change its type from g6-nanode-1 to g6-standard-1",
      "warning: www: ttlSec 1000 will be rounded to 300, the nearest value the service supports",
    ]
  `);

  await box.rewrite(program({ type: "g6-standard-1", allowReboot: false }));
  const rejected = await stack.preview([], { mayFail: true });
  expect(rejected.code).not.toBe(0);
  expect(messages(rejected)).toMatchInlineSnapshot(`
    [
      "error: pulumi-nodejs:dynamic/cloudinfra:Instance resource 'web': property allowReboot value {false} has a problem: must be true for this change: type cannot change without a shutdown and a boot (given false)",
    ]
  `);
});
