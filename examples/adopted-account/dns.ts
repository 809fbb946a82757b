import { Domain, DomainRecord } from "pulumi-cloudinfra";

export const exampleNet = new Domain("example.net", {
  domain: "example.net",
  type: "slave",
  masterIps: ["192.0.2.53"],
});

export const exampleOrg = new Domain("example.org", {
  domain: "example.org",
  type: "master",
  soaEmail: "admin@example.org",
});

export const exampleOrgMX = new DomainRecord("example.org-MX", {
  type: "MX",
  target: "mail.example.org",
  priority: 10,
  domainId: exampleOrg.id,
});

export const exampleOrgTXT = new DomainRecord("example.org-TXT", {
  type: "TXT",
  target: "v=spf1 mx -all",
  domainId: exampleOrg.id,
});

export const wwwExampleOrgA = new DomainRecord("www.example.org-A", {
  type: "A",
  name: "www",
  target: "192.0.2.10",
  domainId: exampleOrg.id,
});

export const wwwExampleOrgAAAA = new DomainRecord("www.example.org-AAAA", {
  type: "AAAA",
  name: "www",
  target: "2001:db8::10",
  domainId: exampleOrg.id,
});
