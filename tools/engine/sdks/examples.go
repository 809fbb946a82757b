package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	dotnet "github.com/pulumi/pulumi-dotnet/pulumi-language-dotnet/v3/codegen"
	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml"
	yaml "github.com/pulumi/pulumi-yaml/pkg/pulumiyaml/codegen"
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// The examples use no other package.
type ownPackage struct{ *schema.Package }

func (own ownPackage) LoadPackage(string, *semver.Version) (*schema.Package, error) {
	return own.Package, nil
}

func (own ownPackage) LoadPackageV2(context.Context, *schema.PackageDescriptor) (*schema.Package, error) {
	return own.Package, nil
}

func (own ownPackage) LoadPackageReference(string, *semver.Version) (schema.PackageReference, error) {
	return own.Reference(), nil
}

func (own ownPackage) LoadPackageReferenceV2(context.Context, *schema.PackageDescriptor) (schema.PackageReference, error) {
	return own.Reference(), nil
}

type converter struct {
	extension, comment string
	generate           func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error)
}

var converters = []converter{
	{"py", "#", python.GenerateProgram},
	{"go", "//", golang.GenerateProgram},
	{"cs", "//", dotnet.GenerateProgram},
}

// convert writes the YAML programs of a folder in other languages to a folder for each.
func convert(text []byte, version, from, to string) error {
	pkg, err := bound(text, version)
	if err != nil {
		return err
	}
	programs, err := filepath.Glob(filepath.Join(from, "*.yaml"))
	if err != nil {
		return err
	}
	for _, converter := range converters {
		files := map[string][]byte{}
		for _, program := range programs {
			name := strings.TrimSuffix(filepath.Base(program), ".yaml")
			source, err := os.ReadFile(program)
			if err != nil {
				return err
			}
			converted, err := converter.convert(program, source, ownPackage{pkg})
			if err != nil {
				return fmt.Errorf("%s as %s: %w", program, converter.extension, err)
			}
			mark := fmt.Sprintf("%s Converted from %s.yaml %.4x by `make sdks`.\n", converter.comment, name, sha256.Sum256(source))
			files[name+"."+converter.extension] = append([]byte(mark), converted...)
		}
		if err := write(filepath.Join(to, converter.extension), files); err != nil {
			return err
		}
	}
	return nil
}

func (c converter) convert(name string, source []byte, loader schema.ReferenceLoader) ([]byte, error) {
	template, problems, err := pulumiyaml.LoadYAML(name, bytes.NewReader(source))
	if err != nil {
		return nil, err
	}
	if problems.HasErrors() {
		return nil, problems
	}
	program, found, err := yaml.EjectProgram(template, loader)
	if err != nil {
		return nil, err
	}
	files, more, err := c.generate(program)
	if err != nil {
		return nil, err
	}
	if found = append(found, more...); len(found) > 0 {
		return nil, found
	}
	for _, converted := range files {
		if len(files) == 1 {
			return converted, nil
		}
	}
	return nil, fmt.Errorf("%d files instead of one", len(files))
}
