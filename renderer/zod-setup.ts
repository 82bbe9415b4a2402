import { z } from "zod";

// The page's policy forbids evaluated code; zod must not even try (decisions §1). Imported before any schema.
z.config({ jitless: true });
