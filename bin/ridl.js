#!/usr/bin/env node
import { createNodeHost } from "../dist/generator/cli/host.js";
import { main } from "../dist/generator/cli/main.js";

process.exitCode = await main(process.argv.slice(2), createNodeHost());
