import { Domain, DomainRecord } from "pulumi-cloudinfra";

const shop = new Domain("shop", { domain: "shop.example.com", type: "master", soaEmail: "admin@example.com" });

const www = new DomainRecord("www", { domainId: shop.id, type: "A", name: "www", target: "203.0.113.10", ttlSec: 300 });
new DomainRecord("mail", { domainId: shop.id, type: "MX", target: "mail.example.com", priority: 10 });
new DomainRecord("sip", {
  domainId: shop.id,
  type: "SRV",
  service: "sip",
  protocol: "tcp",
  target: "sip.example.com",
  priority: 10,
  weight: 5,
  port: 5060,
});

export const address = www.fqdn;
