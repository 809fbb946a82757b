import type { Image } from "../../../api";

/** A row of the table `images` for an image of the platform. */
export const publicImage = (
  name: string,
  label: string,
  vendor: string,
  size: number,
  eol: string,
  deprecated = false,
): Image => ({
  id: `compute/${name}`,
  label,
  description: "",
  status: "available",
  type: "manual",
  is_public: true,
  deprecated,
  vendor,
  size,
  created_by: "compute",
  expiry: null,
  eol: `${eol}T00:00:00`,
  created: "2021-09-01T12:00:00",
  updated: "2021-12-01T12:00:00",
});

/** The images that every account can use. */
export const publicImages: Image[] = [
  publicImage("almalinux8", "AlmaLinux 8", "AlmaLinux", 1200, "2029-12-31"),
  publicImage("alpine3.14", "Alpine 3.14", "Alpine", 300, "2023-05-01"),
  publicImage("alpine3.15", "Alpine 3.15", "Alpine", 300, "2023-11-01"),
  publicImage("arch", "Arch Linux", "Arch", 2500, "2099-12-31"),
  publicImage("centos7", "CentOS 7", "CentOS", 1500, "2024-06-30", true),
  publicImage("debian9", "Debian 9", "Debian", 1100, "2022-06-30"),
  publicImage("debian10", "Debian 10", "Debian", 1500, "2024-06-30"),
  publicImage("debian11", "Debian 11", "Debian", 1300, "2026-06-30"),
  publicImage("fedora35", "Fedora 35", "Fedora", 2000, "2022-12-13"),
  publicImage("opensuse15.3", "openSUSE Leap 15.3", "openSUSE", 1700, "2022-12-31"),
  publicImage("rocky8", "Rocky Linux 8", "Rocky", 1200, "2029-05-31"),
  publicImage("slackware14.2", "Slackware 14.2", "Slackware", 6000, "2024-01-01", true),
  publicImage("ubuntu18.04", "Ubuntu 18.04 LTS", "Ubuntu", 1600, "2023-04-02"),
  publicImage("ubuntu20.04", "Ubuntu 20.04 LTS", "Ubuntu", 2500, "2025-04-02"),
  publicImage("ubuntu22.04", "Ubuntu 22.04 LTS", "Ubuntu", 2500, "2027-04-01"),
];
