import { defineConfig } from "@kubb/core";
import { pluginClient } from "@kubb/plugin-client";
import { pluginOas } from "@kubb/plugin-oas";
import { pluginTs } from "@kubb/plugin-ts";

export default defineConfig({
  input: { path: "./octavoapi/openapi.json" },
  output: { path: "./octavoapi/kubb" },
  plugins: [pluginOas(), pluginTs(), pluginClient()],
});
