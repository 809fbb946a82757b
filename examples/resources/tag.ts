import { Domain, Tag, Volume } from "pulumi-cloudinfra";

// They state no tags of their own: an object has its tags in one place only.
const archive = new Volume("archive", { region: "eu-central", size: 10 });
const intranet = new Domain("intranet", {
  domain: "intranet.example",
  type: "master",
  soaEmail: "admin@intranet.example",
});

new Tag("billing", { label: "billing-dept", volumes: [archive.id], domains: [intranet.id] });
