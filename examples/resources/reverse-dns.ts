import { Domain, DomainRecord, Instance, ReverseDns } from "pulumi-cloudinfra";

const mailer = new Instance("mailer", { region: "eu-central", type: "g6-nanode-1" });
const address = mailer.ipv4.apply((all) => all.find((one) => !one.startsWith("192.168.")) ?? "");

const post = new Domain("post", { domain: "post.example.org", type: "master", soaEmail: "admin@post.example.org" });
const smtp = new DomainRecord("smtp", { domainId: post.id, type: "A", name: "smtp", target: address });

// The name must resolve to the address before it can be set as the reverse DNS name.
new ReverseDns("smtp", { address, rdns: smtp.fqdn });
