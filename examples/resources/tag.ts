import { Domain, Tag, Volume } from "pulumi-cloudinfra";

// These objects do not declare `tags`, because the `Tag` resource manages the tag of both.
const archive = new Volume("archive", { region: "eu-central", size: 10 });
const intranet = new Domain("intranet", {
  domain: "intranet.example",
  type: "master",
  soaEmail: "admin@intranet.example",
});

new Tag("billing", { label: "billing-dept", volumes: [archive.id], domains: [intranet.id] });
