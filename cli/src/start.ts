import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

// A cache of our own, because anybody may write to the default one below /tmp. It only helps modules that are loaded after this call.
enableCompileCache(join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'scholiast', 'compiled'))

const { run } = await import('./program.ts')
process.exitCode = await run(process.argv.slice(2))
