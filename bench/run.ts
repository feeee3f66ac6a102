import { readdir } from 'node:fs/promises'

const [name] = process.argv.slice(2)
const files = await readdir(new URL('.', import.meta.url))
const names = files.flatMap((file) =>
  /^[a-z-]+\.ts$/.test(file) && !['run.ts', 'engine-tools.ts'].includes(file) ? [file.slice(0, -3)] : [],
)
if (name === undefined || !names.includes(name)) {
  console.error(`npm run bench -- NAME, where NAME is one of: ${names.join(', ')}`)
  process.exit(2)
}
await import(`./${name}.ts`)
