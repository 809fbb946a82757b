import { ManagedContact } from "pulumi-cloudinfra";

new ManagedContact("night-shift", {
  name: "Night shift",
  email: "night@example.org",
  phone: { primary: "+1 555 0100" },
  group: "night-shift",
});
