# The words that the service knows are packed from a package that it does not need when it runs.
FROM node:24-slim AS words
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY server/package.json server/
RUN npm ci --ignore-scripts
COPY scripts scripts
COPY server/src server/src
RUN node scripts/pack-words.ts

FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /app

# Before the source, so that a change of code does not install again. No dependency needs its install script.
COPY package.json package-lock.json .npmrc ./
COPY server/package.json server/
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force

COPY server server
COPY --from=words /app/server/words.bin server/words.bin

# The files stay root's: the service cannot change its own code.
# What the worker signs of the audit log, on a volume of its own.
RUN mkdir /heads && chown node /heads
USER node
EXPOSE 8420 9420
CMD ["node", "server/src/api.ts"]
