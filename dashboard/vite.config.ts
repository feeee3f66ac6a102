import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// The name of a chunk says that it draws charts, so that its size can be counted.
const chartLibrary = /node_modules[\\/](?:@visx|d3-)/

const config = defineConfig({
  // The address of the service, and a path prefix in front of it, are known when a page is opened.
  base: './',
  plugins: [react()],
  build: {
    // The policy of the page allows files of the service only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    rolldownOptions: {
      output: {
        chunkFileNames: ({ moduleIds }) =>
          moduleIds.some((id) => chartLibrary.test(id))
            ? 'assets/charts-[name]-[hash].js'
            : 'assets/[name]-[hash].js',
      },
    },
  },
})

// Vite reads the default export.
// oxlint-disable-next-line import/no-default-export
export default config
