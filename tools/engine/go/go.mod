module pulumi-cloudinfra/tools/engine/go

go 1.24

require github.com/pulumi/pulumi/sdk/v3 v3.40.0
