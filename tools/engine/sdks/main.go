// Generates the SDKs and converts the examples with Pulumi's own code.
//
//	sdks generate SCHEMA VERSION FOLDER    writes an SDK for each language
//	sdks convert SCHEMA VERSION FROM TO    writes the YAML programs of FROM in other languages
//	sdks module FOLDER PATH VERSION FILE   writes a Go module as the zip file that Go's proxies serve
package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"

	dotnet "github.com/pulumi/pulumi-dotnet/pulumi-language-dotnet/v3/codegen"
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

const tool = "pulumi-cloudinfra"

// The schema does not refer to other packages, so this loader is never called.
type noPackages struct{ schema.ReferenceLoader }

//go:embed logo.png
var png []byte

// Responds to each request with the logo.
type logo struct{}

func (logo) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(bytes.NewReader(png))}, nil
}

type generator func(*schema.Package) (map[string][]byte, error)

var generators = map[string]generator{
	"nodejs": func(pkg *schema.Package) (map[string][]byte, error) {
		return nodejs.GeneratePackage(tool, pkg, nil, nil, false, noPackages{})
	},
	"python": func(pkg *schema.Package) (map[string][]byte, error) {
		files, err := python.GeneratePackage(tool, pkg, nil, noPackages{})
		if err != nil {
			return nil, err
		}
		// The generator writes the README into the module, but pyproject.toml names one beside itself.
		files["README.md"] = files["pulumi_cloudinfra/README.md"]
		return files, nil
	},
	"go": func(pkg *schema.Package) (map[string][]byte, error) {
		files, err := golang.GeneratePackage(tool, pkg, nil)
		if err != nil {
			return nil, err
		}
		// The generator requires a version of Pulumi's SDK that lacks what the generated code uses.
		files["go.mod"], err = requiring(files["go.mod"], "github.com/pulumi/pulumi/sdk/v3")
		return files, err
	},
	"dotnet": func(pkg *schema.Package) (map[string][]byte, error) {
		// The generator downloads the package's logo, or a default logo from the network if there is none.
		http.DefaultTransport = logo{}
		return dotnet.GeneratePackage(tool, pkg, nil, nil)
	},
}

// Requires the version of a module with which this program was built.
func requiring(gomod []byte, module string) ([]byte, error) {
	info, _ := debug.ReadBuildInfo()
	for _, used := range info.Deps {
		if used.Path == module {
			line := regexp.MustCompile(regexp.QuoteMeta(module) + " v[0-9.]+")
			return line.ReplaceAll(gomod, []byte(module+" "+used.Version)), nil
		}
	}
	return nil, fmt.Errorf("the version of %s is not known", module)
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 4 && args[0] == "generate":
		return withSchema(args[1], func(text []byte) error { return generate(text, args[2], args[3]) })
	case len(args) == 5 && args[0] == "convert":
		return withSchema(args[1], func(text []byte) error { return convert(text, args[2], args[3], args[4]) })
	case len(args) == 5 && args[0] == "module":
		return zipModule(args[1], module.Version{Path: args[2], Version: args[3]}, args[4])
	}
	return fmt.Errorf("usage: sdks generate SCHEMA VERSION FOLDER | sdks convert SCHEMA VERSION FROM TO | sdks module FOLDER PATH VERSION FILE")
}

// The library sorts the files and writes no times, so the same folder gives the same bytes.
func zipModule(folder string, version module.Version, name string) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := zip.CreateFromDir(file, version, folder); err != nil {
		return err
	}
	return file.Close()
}

func withSchema(file string, work func([]byte) error) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return work(text)
}

func generate(text []byte, version, folder string) error {
	for language, generate := range generators {
		// Each generator changes the package, so each gets a copy of its own.
		pkg, err := bound(text, version)
		if err != nil {
			return err
		}
		files, err := generate(pkg)
		if err != nil {
			return fmt.Errorf("%s: %w", language, err)
		}
		if err := write(filepath.Join(folder, language), files); err != nil {
			return err
		}
		fmt.Printf("%s: %d files\n", language, len(files))
	}
	return nil
}

// Warnings count as errors.
func bound(text []byte, version string) (*schema.Package, error) {
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	spec.Version = version
	pkg, problems, err := schema.BindSpec(spec, noPackages{}, schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return pkg, nil
}

func write(folder string, files map[string][]byte) error {
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	for name, contents := range files {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, contents, 0o644); err != nil {
			return err
		}
	}
	return nil
}
