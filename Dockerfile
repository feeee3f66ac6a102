# Build it with Docker (docker compose build) or, on Debian without Docker, with scripts/image build.
# npm reads the secret `npmrc`, if there is one, for a private registry; nothing of it stays in the image.

# Fetches the sentence model into server/model. The result is the same for every platform.
FROM --platform=$BUILDPLATFORM node:24-trixie-slim AS model
WORKDIR /app
COPY package.json .npmrc ./
COPY scripts/fetch-model.ts scripts/
# If the checkout already has the model, the build keeps it.
COPY package.json server/mode[l] server/model/
RUN --mount=type=secret,id=npmrc --mount=type=cache,target=/var/cache/npm \
    NPM_CONFIG_USERCONFIG=/run/secrets/npmrc NPM_CONFIG_CACHE=/var/cache/npm node scripts/fetch-model.ts --required

# Builds the dashboard and the documentation site, which lists the commands of the command line. The result is the same for every
# platform; of its packages nothing reaches the image.
FROM --platform=$BUILDPLATFORM node:24-trixie-slim AS pages
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json LICENSE ./
COPY sdk/package.json sdk/
COPY sandbox/package.json sandbox/
COPY cli/package.json cli/
COPY dashboard/package.json dashboard/
COPY site/package.json site/
RUN --mount=type=secret,id=npmrc --mount=type=cache,target=/var/cache/npm \
    npm ci --include-workspace-root --workspace sdk --workspace sandbox --workspace cli --workspace dashboard --workspace site \
        --ignore-scripts --userconfig=/run/secrets/npmrc --cache=/var/cache/npm
COPY sdk sdk
COPY sandbox sandbox
COPY cli cli
COPY scripts/build-clients.ts scripts/
RUN npm run build:clients
COPY scripts/build-dashboard.ts scripts/dashboard-builds.ts scripts/
COPY dashboard dashboard
RUN npm run build:dashboard
COPY scripts/build-site.ts scripts/command-reference.ts scripts/markdown-table.ts scripts/site-pages.ts scripts/
COPY openapi.json ./
COPY site/.vitepress site/.vitepress
COPY docs docs
RUN node scripts/build-site.ts

FROM node:24-trixie-slim
ENV NODE_ENV=production
WORKDIR /app
# git for the connectors, without Perl's modules, which only commands for e-mail and Subversion need. scripts/image has it in its base.
RUN command -v git || { apt-get update \
    && apt-get install --yes --no-install-recommends -o Dpkg::Options::=--path-exclude='/usr/share/perl/*' \
        -o Dpkg::Options::=--path-exclude='/usr/lib/*-linux-gnu/perl/*' ca-certificates git \
    && rm -rf /var/lib/apt/lists/*; }
# Volume of the signed audit log heads (AUDIT_HEADS_FILE). All other files belong to root: the service cannot change its own code.
RUN install --directory --owner=node --group=node /heads
COPY package.json package-lock.json .npmrc ./
COPY server/package.json server/
# The runtime of the model comes with binaries of every platform; only one of them can run here. The sizes are printed.
RUN --mount=type=secret,id=npmrc --mount=type=cache,target=/var/cache/npm \
    npm ci --omit=dev --ignore-scripts --userconfig=/run/secrets/npmrc --cache=/var/cache/npm \
    && du -sh node_modules \
    && find node_modules/onnxruntime-node/bin/napi-v6 -mindepth 2 -maxdepth 2 \
        ! -path "*/linux/$(node -p process.arch)" -exec rm -r {} + \
    && du -sh node_modules
COPY --from=model /app/server/model/model_quantized.onnx /app/server/model/tokenizer.json server/model/
COPY LICENSE NOTICE ./
COPY server/migrations server/migrations
# Labelled situations for `learnings calibrate`.
COPY server/calibration server/calibration
COPY --from=pages /app/site/.vitepress/dist site/.vitepress/dist
COPY --from=pages /app/dashboard/dist dashboard/dist
COPY server/src server/src
# By number: Kubernetes checks runAsNonRoot only against a numeric user. 1000 is the base image's user `node`.
USER 1000:1000
EXPOSE 8420 9420
CMD ["node", "server/src/api.ts"]
