#!/usr/bin/env node
import { Command } from 'commander'

const program = new Command('scholiast')
await program.parseAsync()
