// Shows the path at which a browser finds the service, as the dashboard derives it.
document.querySelector('h1').textContent = `Dashboard at ${new URL('../..', import.meta.url).pathname}`
