module pulumi-cloudinfra/tools/engine/yaml

go 1.25.11

require github.com/pulumi/pulumi-yaml v1.36.0
