import { ManagedService } from "pulumi-cloudinfra";

new ManagedService("storefront", {
  label: "storefront",
  serviceType: "url",
  address: "https://www.example.org/health",
  timeout: 10,
  body: "everything is fine",
});
