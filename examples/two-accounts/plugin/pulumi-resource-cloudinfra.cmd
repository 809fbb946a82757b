@echo off
rem Pulumi checks that this folder exists before it installs packages, so Pulumi.yaml cannot name one in node_modules.
set plugin=%~dp0..\node_modules\pulumi-cloudinfra\pulumi-resource-cloudinfra
if not exist "%plugin%" (echo the package pulumi-cloudinfra is not installed: run npm install in the folder of Pulumi.yaml>&2 & exit /b 1)
node "%plugin%" %*
