@echo off
rem Pulumi looks for a file of this name on Windows, where it cannot start the one without .cmd.
node "%~dp0pulumi-resource-cloudinfra" %*
